import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReply, decodeRequest, encodeReply, encodeRequest, FrameError, requestLength } from './frame.ts';
import type { FrameReply, Request } from './frame.ts';

const LIMIT = 1_000;

const text = fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0'));
const body = fc.uint8Array({ maxLength: 200 });
const anyRequest: fc.Arbitrary<Request> = fc.record({
  verb: text,
  stamp: text,
  state: text,
  args: fc.array(text, { maxLength: 5 }),
  cwd: fc.option(text, { nil: undefined }),
  env: fc
    .array(fc.tuple(fc.oneof(text, fc.constantFrom('__proto__', 'constructor')), text), { maxLength: 5 })
    .map((pairs) => Object.fromEntries(pairs.filter(([name]) => !name.includes('=')))),
  size: fc.nat(),
  body,
});
const anyReply: fc.Arbitrary<FrameReply> = fc.record({
  outcome: fc.constantFrom('answered', 'aside'),
  exitCode: fc.nat(255),
  stdout: body,
});

const REQUEST: Request = {
  verb: 'hook',
  stamp: '1.2.3+4.ab',
  state: '/home/ü/state',
  args: ['--event', '', 'a=b'],
  cwd: '/w',
  env: { A: '1=2' },
  size: 3,
  body: Uint8Array.of(7, 0, 255),
};

/** A request with other lengths in its head. */
function withLengths(header: number, bodyLength: number): Uint8Array {
  const frame = encodeRequest(REQUEST);
  const view = new DataView(frame.buffer);
  view.setUint32(4, header, true);
  view.setUint32(8, bodyLength, true);
  return frame;
}

describe('a request', () => {
  it('arrives as it was sent, whatever is in it', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const frame = encodeRequest(request);
        expect(requestLength(frame, LIMIT)).toBe(frame.length);
        expect(decodeRequest(frame)).toEqual(request);
      }),
    );
  });

  it('is read the same when it lies in the middle of other bytes', () => {
    fc.assert(
      fc.property(anyRequest, body, body, (request, before, after) => {
        const whole = Uint8Array.from([...before, ...encodeRequest(request), ...after]);
        expect(decodeRequest(whole.subarray(before.length))).toEqual(request);
      }),
    );
  });

  it('has the layout that the native client writes', () => {
    const header = 'vhook\0b1.2.3+4.ab\0h/home/ü/state\0a--event\0a\0aa=b\0d/w\0s3\0eA=1=2\0';
    const head = Buffer.alloc(12, 'FLQ1');
    head.writeUInt32LE(Buffer.byteLength(header), 4);
    head.writeUInt32LE(3, 8);
    expect(Buffer.from(encodeRequest(REQUEST)).toString('latin1')).toBe(
      Buffer.concat([head, Buffer.from(header), Buffer.of(7, 0, 255)]).toString('latin1'),
    );
  });

  it('has no length before its head is whole, and cannot be read before it is there', () => {
    const frame = encodeRequest(REQUEST);
    for (let length = 0; length < frame.length; length += 1) {
      const part = frame.subarray(0, length);
      expect(requestLength(part, LIMIT)).toBe(length < 12 ? undefined : frame.length);
      expect(() => decodeRequest(part)).toThrow(Error);
    }
  });

  it.each([
    ['a body', withLengths(10, LIMIT + 1)],
    ['a header', withLengths(1024 * 1024 + 1, 0)],
    ['all that 32 bits can say', withLengths(0xffffffff, 0xffffffff)],
  ])('is refused before anything of it is kept when %s is over its limit', (_, frame) => {
    expect(() => requestLength(frame, LIMIT)).toThrow(FrameError);
  });

  it.each(['GET / HTTP/1.1', 'FLQ2........', 'FLR1........', '\0\0\0\0\0\0\0\0\0\0\0\0'])(
    'is not what begins with %j',
    (start) => {
      expect(() => requestLength(Buffer.from(start), LIMIT)).toThrow(FrameError);
      expect(() => decodeRequest(Buffer.from(start))).toThrow(FrameError);
    },
  );

  const withHeader = (fields: string) => {
    const header = Buffer.from(fields);
    const head = Buffer.alloc(12, 'FLQ1');
    head.writeUInt32LE(header.length, 4);
    head.writeUInt32LE(2, 8);
    return Buffer.concat([head, header, Buffer.from('{}')]);
  };

  it.each([
    ['in the middle', 'vhook\0s9\0aone\0', 9],
    ['at the end', 'vhook\0aone\0s9\0', 9],
    ['without its end', 'vhook\0aone\0s9', 9],
    ['nowhere', 'vhook\0aone\0', 2],
  ])('has the same header with a size %s', (_, header, size) => {
    expect(decodeRequest(withHeader(header))).toMatchObject({ verb: 'hook', args: ['one'], size });
  });

  it('keeps what it shares with others of its header from being changed', () => {
    const { args, env } = decodeRequest(withHeader('vhook\0aone\0eA=1\0'));
    expect(() => (args as string[]).push('two')).toThrow(TypeError);
    expect(() => Object.assign(env, { A: '2' })).toThrow(TypeError);
  });

  it('may lack fields and have unknown ones', () => {
    expect(decodeRequest(withHeader('zsomething\0vstatus\0\0'))).toEqual({
      verb: 'status',
      stamp: '',
      state: '',
      args: [],
      cwd: undefined,
      env: {},
      size: 2,
      body: Buffer.from('{}'),
    });
  });

  it('of any bytes is read or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.boolean(), (bytes, marked) => {
        const frame = marked ? Buffer.concat([Buffer.from('FLQ1'), bytes]) : Buffer.from(bytes);
        try {
          const length = requestLength(frame, LIMIT);
          if (length !== undefined && length <= frame.length) decodeRequest(frame);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
    );
  });
});

describe('a reply', () => {
  it('arrives as it was sent', () => {
    fc.assert(
      fc.property(anyReply, (reply) => {
        expect(decodeReply(encodeReply(reply))).toEqual(reply);
      }),
    );
  });

  it('that ends early, or goes on, is none', () => {
    fc.assert(
      fc.property(anyReply, fc.nat(), (reply, cut) => {
        const frame = encodeReply(reply);
        expect(decodeReply(frame.subarray(0, cut % frame.length))).toBeUndefined();
        expect(decodeReply(Buffer.concat([frame, Buffer.of(0)]))).toBeUndefined();
      }),
    );
  });

  it('has the layout that the native client reads', () => {
    const frame = encodeReply({ outcome: 'aside', exitCode: 2, stdout: Buffer.from('ä') });
    expect([...frame]).toEqual([...Buffer.from('FLR1'), 1, 2, 0, 0, 2, 0, 0, 0, 0xc3, 0xa4]);
  });

  it('with an unknown outcome is none, and with another mark not of this version', () => {
    const frame = encodeReply({ outcome: 'answered', exitCode: 0, stdout: new Uint8Array() });
    expect(decodeReply(frame.with(4, 2))).toBeUndefined();
    expect(() => decodeReply(frame.with(3, 50))).toThrow(FrameError);
  });
});
