require_relative 'named'
require_relative 'price'

module Depot
  class Entity
    attr_reader :id

    def self.build(*args)
      made = new(*args)
      register(made)
    end

    def self.register(entity)
      entity
    end

    def initialize(id)
      @id = id
    end

    def touch
      @touched = stamp
    end

    def stamp
      Time.now
    end
  end

  class Item < Entity
    include Named

    LIMIT = 3

    def initialize(id, price)
      super(id)
      @price = Price.new(price)
      touch
    end

    def stamp
      super
      title
      @price.rounded_up
      LIMIT
    end
  end
end
