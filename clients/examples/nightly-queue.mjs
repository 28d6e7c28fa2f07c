// Numbers a list through the queue: node nightly-queue.mjs nightly-2026-11-21 order-1 order-2 order-3
//
// The first argument names the list. After a failure, run the program again with the same name: each key is numbered only once, in the
// order of the list. NUMERA_STORAGE is the address of the account's queues, such as https://stnumera1a2b.queue.core.windows.net. The
// program signs in with the identity of the Azure service that runs it, or with yours after az login; docs/queue.md lists the roles.
// Without NUMERA_STORAGE, the program uses the local Azurite. It needs npm install @azure/identity @azure/storage-queue.
import { DefaultAzureCredential } from '@azure/identity';
import { QueueServiceClient } from '@azure/storage-queue';
import { setTimeout as sleep } from 'node:timers/promises';

const STORAGE = process.env.NUMERA_STORAGE ?? 'UseDevelopmentStorage=true';
const [scope, name] = (process.env.NUMERA_SEQUENCE ?? 'shop/order').split('/');
const KEYS_OF_A_MESSAGE = 150; // A message may have 64 KiB: use more keys if they are short.
const WAIT_FOR_MILLIS = 600_000;

const [list, ...keys] = process.argv.slice(2);
const service = STORAGE.startsWith('https://')
  ? new QueueServiceClient(STORAGE, new DefaultAzureCredential())
  : QueueServiceClient.fromConnectionString(STORAGE);
const requests = service.getQueueClient('numbering-requests');
const results = service.getQueueClient('numbering-results');

/** Sends the list in messages, each with its own id, and returns the ids. */
async function send() {
  const ids = [];
  for (let from = 0; from < keys.length; from += KEYS_OF_A_MESSAGE) {
    const id = `${list}-${ids.length + 1}`;
    const message = { id, scope, name, keys: keys.slice(from, from + KEYS_OF_A_MESSAGE) };
    await requests.sendMessage(Buffer.from(JSON.stringify(message)).toString('base64'));
    ids.push(id);
  }
  return ids;
}

/** Collects the answers to these ids. Each answer arrives at least once, in parts. Answers to other ids stay in the queue. */
async function collect(ids) {
  const missing = new Map(ids.map((id) => [id, null]));
  const deadline = Date.now() + WAIT_FOR_MILLIS;
  let failed = false;
  while (missing.size > 0) {
    if (Date.now() > deadline) throw new Error(`No answer yet to ${[...missing.keys()]}. Run this again.`);
    const { receivedMessageItems } = await results.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 10 });
    if (receivedMessageItems.length === 0) await sleep(500);
    for (const { messageId, popReceipt, messageText } of receivedMessageItems) {
      const answer = JSON.parse(messageText.startsWith('{') ? messageText : Buffer.from(messageText, 'base64'));
      if (!ids.includes(answer.id)) continue;
      const parts = missing.get(answer.id) ?? new Set(Array.from({ length: answer.parts }, (_, i) => i + 1));
      if (missing.has(answer.id) && parts.delete(answer.part)) {
        failed = print(answer) || failed;
        missing.set(answer.id, parts);
      }
      if (parts.size === 0) missing.delete(answer.id);
      await results.deleteMessage(messageId, popReceipt);
    }
  }
  return failed;
}

/** Prints an answer. Returns whether a key got no number. */
function print({ id, problem, allocations }) {
  if (problem) console.error(`${id}: ${problem.detail}`);
  for (const { key, first, texts, problem: why } of allocations) {
    console.log(why ? `${key} ${why.detail}` : `${key} ${texts ? texts[0] : first}`);
  }
  return Boolean(problem) || allocations.some((each) => each.problem);
}

process.exitCode = (await collect(await send())) ? 1 : 0;
