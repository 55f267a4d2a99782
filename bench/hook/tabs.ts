// Tabs of the page, without a browser: each holds a line for news of its own, as in ten browsers, and looks again at what it
// shows when there is some. Ends with its input, and prints how many views were read.

/** As the page gathers news. */
const GATHER_MS = 300;
const SHOWN = [['now'], ['stops'], ['sessions'], ['rules'], ['stops?action=deny']];

const addresses = process.argv.slice(2);
const ending = new AbortController();
let read = 0;

async function enter(address: string): Promise<{ readonly origin: string; readonly headers: Record<string, string> }> {
  const { origin, hash } = new URL(address);
  const response = await fetch(`${origin}/enter`, { method: 'POST', body: hash.slice(1), headers: { origin } });
  if (!response.ok) throw new Error(`the door is closed: ${response.status}`);
  const { key } = (await response.json()) as { readonly key: string };
  return { origin, headers: { authorization: `Page ${key}` } };
}

type Tab = Awaited<ReturnType<typeof enter>>;

async function follow({ origin, headers }: Tab, views: readonly string[], onOpen: () => void): Promise<void> {
  const look = async () => {
    for (const view of [...views, 'packs']) {
      await (await fetch(`${origin}/api/${view}`, { headers, signal: ending.signal })).arrayBuffer();
      read += 1;
    }
  };
  await look();
  const live = await fetch(`${origin}/api/live`, { headers, signal: ending.signal });
  onOpen();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  for await (const chunk of live.body ?? []) {
    if (!Buffer.from(chunk).includes('data:')) continue;
    gathering ??= setTimeout(() => {
      gathering = undefined;
      look().catch(() => {});
    }, GATHER_MS);
  }
}

const tabs = await Promise.all(addresses.map(enter));
let opening = tabs.length;
const following = tabs.map((tab, index) =>
  follow(tab, SHOWN[index % SHOWN.length] ?? [], () => (opening -= 1) === 0 && console.log('open')).catch(() => {}),
);
process.stdin.resume();
process.stdin.on('end', () => ending.abort());
await Promise.all(following);
console.log(read);
process.exit();
