module Tally
  class Ledger
    extend Forwardable
    include Enumerable

    def_delegators :@entries, :size, :first

    class Full < Error; end

    LIMIT = 10
    attr_writer :name
    attr_accessor :entries

    @@open = 0

    def initialize
      @entries = []
      @total = Entry.new(0)
      @@open += 1
      yield self if block_given?
    end

    def self.load(lines)
      ledger = new
      lines.each { |line| ledger << Entry.parse(line) }
      ledger.freeze_all
    end

    def self.limit
      LIMIT
    end

    def limit
      self.class.limit + LIMIT
    end

    def <<(entry)
      raise Full if full?
      @entries << entry.checked
      self
    end

    def each(&block)
      @entries.each(&block)
    end

    def total
      reduce(@total) { |sum, entry| sum + entry }
    end

    def full?
      @entries.size >= limit
    end

    def freeze_all
      map(&:checked)
      send(:close)
      Tally.tidy(to_s)
      @total.split(2).valid?
      self
    rescue Full, Error => e
      e.hint
    ensure
      close
    end

    def to_s
      "#{total} of #{limit}"
    end

    def method_missing(name, *args)
      respond_to_missing?(name) ? total.public_send(name, *args) : super
    end

    def respond_to_missing?(name, include_private = false)
      name.end_with?('!') || super
    end

    private

    def close
      @@open -= 1
    end
  end
end
