export const SAMPLES = {
  python:
    'import a.b as c\n@d(1)\nasync def e(f: "g" = 1, *h, **i) -> j[k]:\n    # ü\n    return [m.n(o) for o in p if not q]\nclass r(s, t=u):\n  v = f"{w!r} é"\ndef (:\n',
} as const;
