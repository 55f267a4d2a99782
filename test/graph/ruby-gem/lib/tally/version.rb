module Tally
  module Version
    MAJOR = 1

    def self.stable?
      MAJOR.positive? && number
    end

    def self.number
      [MAJOR, Patch::LEVEL].join('.')
    end

    module Patch
      LEVEL = 2
    end
  end
end
