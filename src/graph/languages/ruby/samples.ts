export const SAMPLES = {
  ruby: "require 'a'\n# ü\nmodule B\n  class C < D\n    def e(f = 1, *g, &h) = i.j(f) { |k| k&.l }\n    attr_reader :m\n  end\nend\ndef (\n",
} as const;
