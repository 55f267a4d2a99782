# frozen_string_literal: true

require 'forwardable'
require 'set'
require 'tally/version'
require 'tally/entry'
require 'tally/ledger'
require_relative './tally/formats/csv'
require 'tally/missing'

module Tally
  class Error < StandardError
    def hint
      'see the manual'
    end
  end

  Broken = Class.new(Error)
  DEFAULTS = { format: :csv }.freeze

  class << self
    attr_accessor :clock

    def count(ledger)
      sum = ledger.total
      report(sum)
      format_of(:csv).render(ledger)
    end

    def format_of(name)
      Formats.const_get(name)
    end

    private

    def report(sum)
      warn(sum)
      Version.stable?
    end
  end

  def self.config
    @config ||= Config.new
  end

  module_function

  def tidy(text)
    text.strip
  end
end
