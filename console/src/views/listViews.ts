export {Upload} from './upload.ts';
export {Imported, Uploaded} from './uploaded.ts';
export {Uploads} from './uploads.ts';
