import type {View} from '../views.ts';
import {later} from './later.ts';

/** The views of uploads and imports. Their code is in a file of its own, because most visits do not need it. */
const code = () => import('./listViews.ts');

/** Sends a list of keys to number, or numbers of another system to import. The service processes both in the background. */
export const upload: View = {
  path: '/sequences/:scope/:name/upload', label: 'Uploads', place: 'sequence', needs: 'UploadBatch', ledger: true, component: later(async () => (await code()).Upload),
};

/** The uploads and imports of a sequence that are still kept. */
export const uploads: View = {path: '/sequences/:scope/:name/uploads', label: 'Uploads', place: 'none', component: later(async () => (await code()).Uploads)};

/** The progress of an upload, and the numbers of each key. */
export const uploaded: View = {
  path: '/sequences/:scope/:name/uploads/:id', label: 'Upload', place: 'none', component: later(async () => (await code()).Uploaded),
};

/** The progress of an import, and the result of each row. */
export const imported: View = {
  path: '/sequences/:scope/:name/imports/:id', label: 'Import', place: 'none', component: later(async () => (await code()).Imported),
};
