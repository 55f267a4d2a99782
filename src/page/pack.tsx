import type { PackItem, PackView } from '../cli/page/shapes.ts';
import { formatCount } from './format.ts';
import { useData } from './load.ts';
import { Command, Empty, Section } from './parts.tsx';

/** A view that a pack brings along, whatever it is about. */
export function PackPageView({ pack }: { readonly pack: string }) {
  const { data, error } = useData<PackView>(`pack?name=${encodeURIComponent(pack)}`);
  if (!data)
    return error === undefined ? null : (
      <Empty title="This is not switched on in the project.">
        <p>
          See what is: <Command text="fairlead packs list" />
        </p>
      </Empty>
    );
  if (data.start)
    return (
      <Empty title={data.start.title}>
        <p>
          Begin with <Command text={data.start.command} />
        </p>
      </Empty>
    );
  return (
    <>
      {data.sections.map(({ title, none, items, more = 0 }) => (
        <Section
          key={title}
          title={title}
          aside={items.length > 1 && <span class="muted">{formatCount(items.length + more)}</span>}
        >
          {items.length === 0 && <p class="calm">{none}</p>}
          <ul class="cards">
            {items.map((item, index) => (
              <Item key={`${item.name} ${index}`} item={item} />
            ))}
          </ul>
          {more > 0 && <p class="calm">and {formatCount(more)} older ones</p>}
        </Section>
      ))}
    </>
  );
}

function Item({ item }: { readonly item: PackItem }) {
  const { name, about, standing, edge, progress = [], lines = [], text, commands = [] } = item;
  return (
    <li class={`card${edge === undefined ? '' : ` edge-${edge}`}`}>
      <div class="card-head">
        <strong class="item-name">{name}</strong>
        {standing !== undefined && <span class={`chip chip-${edge ?? 'pass'}`}>{standing}</span>}
        {about !== undefined && <span class="muted">{about}</span>}
      </div>
      {progress.length > 0 && (
        <div class="meters">
          {progress.map((each) => (
            <Meter key={each.of} {...each} />
          ))}
        </div>
      )}
      {text !== undefined && <p class="reason">{text}</p>}
      {lines.length > 0 && (
        <ul class="plain ticks">
          {lines.map((line, index) => (
            <li key={index} class={line.isDone ? 'done' : ''}>
              {line.isDone && <span class="hidden">done: </span>}
              {line.text}
            </li>
          ))}
        </ul>
      )}
      {commands.length > 0 && (
        <div class="commands">
          {commands.map((command) => (
            <Command key={command.text} {...command} />
          ))}
        </div>
      )}
    </li>
  );
}

function Meter({ of, done, total }: { readonly of: string; readonly done: number; readonly total: number }) {
  const share = total === 0 ? 0 : done / total;
  return (
    <div class="meter">
      <span class="muted">{total === 0 ? `no ${of}` : `${formatCount(done)} of ${formatCount(total)} ${of}`}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" class="none" />
        <rect width={100 * share} height="6" />
      </svg>
    </div>
  );
}
