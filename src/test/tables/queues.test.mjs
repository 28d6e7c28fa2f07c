// Uses Numera's queues as docs/queue.md describes them, with another client than the app's. TablesIT runs it.
import assert from 'node:assert/strict';
import test, { before } from 'node:test';
import { QueueServiceClient } from '@azure/storage-queue';

const service = QueueServiceClient.fromConnectionString(process.env.NUMERA_STORAGE, { allowInsecureConnection: true });
const [requests, results, poison] = ['numbering-requests', 'numbering-results', 'numbering-requests-poison']
  .map((name) => service.getQueueClient(name));
const base64 = (text) => Buffer.from(text, 'utf8').toString('base64');
const WAIT_MILLIS = 60_000;

before(() => Promise.all([requests, results, poison].map((queue) => queue.createIfNotExists())));

async function receive(queue, isWanted) {
  for (const deadline = Date.now() + WAIT_MILLIS; Date.now() < deadline;) {
    for (const message of (await queue.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 1 })).receivedMessageItems) {
      if (isWanted(message.messageText)) {
        await queue.deleteMessage(message.messageId, message.popReceipt);
        return message.messageText;
      }
    }
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`nothing of the kind in ${queue.name}`);
}

const isPlain = (id) => (text) => text.startsWith('{') && JSON.parse(text).id === id;
const isEncoded = (id) => (text) => !text.startsWith('{') && isPlain(id)(Buffer.from(text, 'base64').toString('utf8'));

test('a plain message is answered in plain JSON', async () => {
  await requests.sendMessage(JSON.stringify({ id: 'plain', scope: 'queues', name: 'order', keys: ['a', 'b'] }));
  const answer = JSON.parse(await receive(results, isPlain('plain')));
  assert.equal(answer.status, 'numbered');
  assert.deepEqual(answer.allocations.map(({ key, first }) => [key, first]), [['a', 1], ['b', 2]]);
});

test('a message in Base64 is answered in Base64, whatever script its keys are in', async () => {
  await requests.sendMessage(base64(JSON.stringify({ id: 'encoded', scope: 'queues', name: 'other', keys: ['\u6ce8\u6587-1'], date: '2026-11-21' })));
  const answer = JSON.parse(Buffer.from(await receive(results, isEncoded('encoded')), 'base64').toString('utf8'));
  assert.deepEqual(answer.allocations.map(({ key, first }) => [key, first]), [['\u6ce8\u6587-1', 1]]);
});

test('a message that can never succeed is unchanged in the poison queue', async () => {
  const message = JSON.stringify({ id: 'bad', scope: 'queues', name: 'order', keys: [] });
  await requests.sendMessage(message);
  assert.equal(JSON.parse(await receive(results, isPlain('bad'))).status, 'rejected');
  assert.equal(await receive(poison, (text) => text === message), message);
});
