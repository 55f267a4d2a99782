require 'json'
require 'depot/item'
require_relative 'depot/store/memory'

module Depot
  VERSION = '1.0'

  def self.open(limit)
    store = Store::Memory.new(limit)
    configure(store)
    store
  end

  def self.configure(store)
    store.limit = 3
    announce "#{VERSION} open"
  end
end
