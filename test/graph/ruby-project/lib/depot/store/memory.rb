module Depot
  module Store
    class Memory < Base
      attr_accessor :limit

      def initialize(limit)
        super()
        @limit = limit
        @items = []
      end

      def add(item)
        check_room
        @items.push(item)
        item.touch
        Depot::Item.build(1, 2)
      end

      def each
        @items.each { |one| yield one }
      end
    end
  end
end
