require 'csv'

class Tally::Formats
  class Base
    def render(ledger)
      head + ledger.map { |entry| line(entry) }.join
    end

    def head
      ''
    end

    def line(entry)
      raise NotImplementedError
    end
  end
end

module Tally
  class Formats::Csv < Formats::Base
    SEPARATOR = ','.freeze

    def line(entry)
      quote(entry.amount) + SEPARATOR + entry.kind.name
    end

    def head
      super + self.class.title
    end

    def self.title
      new.quote(Tally::Version::MAJOR)
    end

    def quote(text)
      ->(part) { part.to_s }.call(text)
    end
  end
end
