require_relative 'mixins'

module Tally
  # One line of a ledger.
  class Entry
    include Comparable
    include Mixins::Checks
    extend Mixins::Finders
    prepend Mixins::Loud

    Kind = Struct.new(:name, :sign) do
      def positive?
        sign.positive?
      end
    end

    attr_reader :amount, :kind
    alias_method :value, :amount

    def self.parse(line)
      entry = new(line.to_i)
      entry.check!
      entry
    end

    def initialize(amount, kind = nil)
      @amount = amount
      @kind = kind || Kind.new('plain', 1)
      @parts = []
    end

    def <=>(other)
      amount <=> other.amount
    end

    def +(other)
      self.class.new(amount + other.amount)
    end

    def split(times)
      times.times { |n| @parts << part(n) }
      @kind.positive?
      self
    end

    def valid?
      kind.name && amount_given?
    end

    def amount_given?
      !amount.nil?
    end

    protected

    def part(n)
      Part.new(self, n)
    end

    class Part < Entry
      def initialize(whole, n)
        super(whole.amount / n)
        @whole = whole
      end

      def valid?
        super && @whole.valid?
      end

      def part(_n)
        raise Broken, 'no parts of parts'
      end
    end
  end
end
