import Events
public import Site

extension ConnectionRecord {
    /// The room in which all stops are, on one floor; nil if there is none.
    var onlyRoom: RoomID? {
        guard let first = stops.first,
            stops.allSatisfy({ $0.room == first.room && $0.floor == first.floor })
        else { return nil }
        return first.room
    }
}

extension HandedNetwork {
    /// The facts of a connection for hand and foot. Sides are those of a walk from the first of its
    /// `nodes` to the last.
    public struct Touch: Hashable, Sendable {
        /// The nodes of its stops in their order; empty if no fact has a side.
        public private(set) var nodes: [Int] = []
        public var isAutomatic = false
        public var doorKind: DoorKind?
        public var opens: DoorSwing?
        public var isGlass = false
        public var handrail: Handrail?
        /// The number of steps of stairs.
        public var steps: Int?
        /// Whether stairs or an escalator lead up or down, by their height or as stated.
        public private(set) var leads: Ascent?
        /// The ground of a walk or a ramp: a value of OpenStreetMap's key `surface`.
        public var surface: String?
        public var hasTactilePaving = false

        private var isClimb = false

        /// Nil for a connection without facts.
        init?(_ record: ConnectionRecord) {
            handrail = record.handrail
            switch record.kind {
            case .door:
                isAutomatic = record.isAutomatic == true
                doorKind = record.doorKind
                opens = record.opens
                isGlass = record.isGlass == true
            case .walk, .ramp:
                surface = record.surface
                hasTactilePaving = record.hasTactilePaving == true
            case .stairs, .escalator:
                steps = record.steps
                isClimb = true
            case .lift, .platformLift: return nil
            }
            if self == Self(), !isClimb { return nil }
        }

        private init() {}

        private var isSided: Bool {
            leads != nil || opens == .first || opens == .last || handrail == .left
                || handrail == .right
        }

        /// Notes the nodes of an arc, and whether it leads up. The network has the way from each
        /// stop to the next before the way back.
        mutating func note(_ way: WayArc, from tail: Int, to head: Int) {
            var isBackward = false
            switch way.course {
            case .along(_, let back): isBackward = back
            case .through: break
            case .board, .ride, .alight, .step, .inside: return
            }
            if isClimb, let rise = way.rise, rise != 0 {
                leads = (rise > 0) == isBackward ? .down : .up
            }
            guard isSided else { return }
            for node in isBackward ? [head, tail] : [tail, head] where !nodes.contains(node) {
                nodes.append(node)
            }
        }
    }
}
