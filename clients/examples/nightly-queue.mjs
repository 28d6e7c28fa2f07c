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

/** Sends the list in messages, each with its own id. Returns the keys of each message by its id. */
async function send() {
  const sent = new Map();
  for (let from = 0; from < keys.length; from += KEYS_OF_A_MESSAGE) {
    const message = { id: `${list}-${sent.size + 1}`, scope, name, keys: keys.slice(from, from + KEYS_OF_A_MESSAGE) };
    await requests.sendMessage(Buffer.from(JSON.stringify(message)).toString('base64'));
    sent.set(message.id, message.keys);
  }
  return sent;
}

/**
 * Collects the answers to these messages, and returns whether a key got no number. Each answer arrives at least once, in parts that may be
 * split at other keys each time, so keys count and not parts. Answers to other ids stay in the queue.
 */
async function collect(sent) {
  const missing = new Set(keys);
  const deadline = Date.now() + WAIT_FOR_MILLIS;
  let failed = false;
  while (missing.size > 0) {
    if (Date.now() > deadline) throw new Error(`No answer yet for ${missing.size} keys. Run this again.`);
    const { receivedMessageItems } = await results.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 10 });
    if (receivedMessageItems.length === 0) await sleep(500);
    for (const { messageId, popReceipt, messageText } of receivedMessageItems) {
      const answer = JSON.parse(messageText.startsWith('{') ? messageText : Buffer.from(messageText, 'base64'));
      if (!sent.has(answer.id)) continue;
      if (answer.problem) {
        console.error(`${answer.id}: ${answer.problem.detail}`);
        sent.get(answer.id).forEach((key) => missing.delete(key));
        failed = true;
      }
      for (const { key, first, texts, problem } of answer.allocations.filter((each) => missing.delete(each.key))) {
        console.log(problem ? `${key} ${problem.detail}` : `${key} ${texts ? texts[0] : first}`);
        failed ||= Boolean(problem);
      }
      await results.deleteMessage(messageId, popReceipt);
    }
  }
  return failed;
}

process.exitCode = (await collect(await send())) ? 1 : 0;
