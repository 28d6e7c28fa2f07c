// Bundles the console into a folder of the jar's classes: the page, its scripts and styles under names with a hash, and files.properties,
// which lists each file that the service may serve, with its type. Maven runs it with that folder. If no source has changed, it returns at
// once and needs no npm.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const HOME = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = ['build.mjs', 'package-lock.json', 'index.html', 'icon.svg', 'src'];
const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};
const LIST = 'files.properties';
const NOTICE = '/*! With Preact (MIT) and htm (Apache-2.0). */';

function hash(texts) {
  const all = createHash('sha256');
  texts.forEach(text => all.update(text));
  return all.digest('hex');
}

function filesOf(path) {
  const full = join(HOME, path);
  return path.includes('.') ? [full] : readdirSync(full, {recursive: true}).filter(name => name.includes('.')).sort()
    .map(name => join(full, name));
}

function install() {
  const mark = join(HOME, 'node_modules', '.installed');
  const wanted = hash([readFileSync(join(HOME, 'package-lock.json'))]);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) {
    return;
  }
  console.error('Installing the libraries of the console with npm, once ...');
  const npm = spawnSync('npm', ['ci', '--prefix', HOME, '--no-progress', '--no-fund', '--no-audit'], {
    cwd: HOME, encoding: 'utf8', shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(`npm could not install the libraries of the console into ${HOME}:\n${npm.error ?? npm.stdout + npm.stderr}`);
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}

async function bundle(folder) {
  const {build} = await import('esbuild');
  const {metafile} = await build({
    absWorkingDir: HOME,
    entryPoints: {console: 'src/main.ts'},
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    banner: {js: NOTICE},
    outdir: folder,
    metafile: true,
    logLevel: 'warning',
  });
  return metafile.outputs;
}

/** Returns the scripts that the first script imports at once. The page names them, so that the browser loads all of them together. */
function importedBy(outputs, script) {
  const [, {imports}] = Object.entries(outputs).find(([name]) => basename(name) === script);
  return imports.filter(({kind}) => kind === 'import-statement').map(({path}) => basename(path));
}

async function write(folder, fingerprint) {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const outputs = await bundle(folder);
  const names = Object.keys(outputs).map(name => basename(name));
  const script = names.find(name => /^console-.*\.js$/.test(name));
  const preloads = importedBy(outputs, script).map(name => `<link rel="modulepreload" href="console/${name}">\n`);
  const page = readFileSync(join(HOME, 'index.html'), 'utf8')
    .replace('{{preloads}}', preloads.join(''))
    .replace('{{script}}', script)
    .replace('{{style}}', names.find(name => name.endsWith('.css')));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'icon.svg'), readFileSync(join(HOME, 'icon.svg')));
  const listed = [...names, 'index.html', 'icon.svg'].sort().map(name => `${name}=${TYPES[name.split('.').pop()]}\n`);
  writeFileSync(join(folder, LIST), `# ${fingerprint}\n${listed.join('')}`);
}

const folder = process.argv[2] && resolve(process.argv[2]);
if (!folder) {
  console.error('node build.mjs FOLDER: say which folder to bundle the console into.');
  process.exit(2);
}
const fingerprint = hash(SOURCES.flatMap(filesOf).map(name => readFileSync(name)));
const list = join(folder, LIST);
if (!existsSync(list) || !readFileSync(list, 'utf8').startsWith(`# ${fingerprint}\n`)) {
  install();
  await write(folder, fingerprint);
}
