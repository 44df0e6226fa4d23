import Events
import Geometry
import Site

/// Collects the parts of a network that is handed out.
struct HandedNetworkMaker {
    /// An arc with its cost for each profile.
    struct Link {
        var arc: HandedNetwork.Arc
        var costs: [Cost]
        var prices: [Cost]
    }

    let network: WayNetwork
    let costs: [NetworkCosts]
    /// For each of the site's floors, its index among those that are handed out.
    private(set) var floorOfIndex: [Int: Int] = [:]
    private var handed = Handed()
    private var links: [Link] = []
    /// The places beside each arc.
    private var startsOnArc: [Int: [Near]] = [:]
    private var endsOnArc: [Int: [Near]] = [:]
    var roomOfIndex: [RoomIndex: Int] = [:]

    private struct Handed {
        var floors: [FloorID] = []
        var nodes: [HandedNetwork.Node] = []
        var passages: [HandedNetwork.Passage] = [.init(part: .approach)]
        var rooms: [HandedNetwork.Room] = []
        var places: [HandedNetwork.Place] = []
        var nodeOf: [Int: Int] = [:]
        var passageOfSpace: [Int: Int] = [:]
        var passageOfConnection: [Int: Int] = [:]
    }

    init(_ network: WayNetwork, building: BuildingID?) {
        self.network = network
        costs = TravelProfile.Name.allCases.map { NetworkCosts(network, .named($0)) }
        for (index, floor) in network.site.floors.enumerated()
        where building == nil || floor.building == building {
            floorOfIndex[index] = handed.floors.count
            handed.floors.append(floor.id)
        }
        isWhole = building == nil
    }

    private let isWhole: Bool
    var count: Int { links.count }

    // MARK: Arcs

    /// Adds all arcs of the network, and those of both ways once.
    mutating func addArcs() {
        let arcs = network.graph.arcs
        var index = 0
        while index < arcs.count {
            let ends = arcs[index]
            guard isPart(ends.tail) || isPart(ends.head) else {
                index += 1
                continue
            }
            let link = link(index)
            let next = index + 1
            if network.twin(of: ArcIndex(index))?.value == next {
                let back = self.link(next)
                if back.costs == link.costs, back.prices == link.prices,
                    back.arc.isEntrance == link.arc.isEntrance
                {
                    var both = link
                    both.arc.isBothWays = true
                    links.append(both)
                    index += 2
                    continue
                }
            }
            links.append(link)
            index = next
        }
    }

    private func isPart(_ node: NodeIndex) -> Bool {
        guard !isWhole else { return true }
        return network.nodes[node.value].level.map { floorOfIndex[$0.value] != nil } ?? false
    }

    private mutating func link(_ index: Int) -> Link {
        let (ends, way) = (network.graph.arcs[index], network.arcs[index])
        var bends: [Point] = []
        switch way.course {
        case .along(let first, let isBackward):
            let line = way.connection.map { network.record($0).points(from: first) } ?? []
            bends = Array((isBackward ? line.reversed() : line).dropFirst().dropLast())
        case .step(let entry, let isOut):
            let step = way.space.map { network.spaces[$0].entries[entry].step } ?? []
            bends = Array((isOut ? step.reversed() : step).dropFirst().dropLast())
        case .through, .board, .ride, .alight, .inside: break
        }
        let arc = HandedNetwork.Arc(
            tail: node(ends.tail), head: node(ends.head), passage: passage(way),
            isEntrance: way.isEntrance, isBothWays: false, metres: way.metres, bends: bends)
        handed.passages[arc.passage].touch?.note(way, from: arc.tail, to: arc.head)
        var link = Link(arc: arc, costs: [], prices: [])
        for costs in costs {
            guard costs.barriers(way).allSatisfy(\.isLeftToReader) else {
                link.costs.append(.closed)
                link.prices.append(.free)
                continue
            }
            let (open, time) = (costs.openCost(way), Cost(seconds: costs.seconds(way)))
            link.costs.append(open)
            link.prices.append(open > time ? Cost(open.value - time.value) : .free)
        }
        return link
    }

    private mutating func node(_ index: NodeIndex) -> Int {
        if let known = handed.nodeOf[index.value] { return known }
        let node = network.nodes[index.value]
        let number = add(node.level, node.point)
        handed.nodeOf[index.value] = number
        return number
    }

    private mutating func add(_ level: Level, _ point: Point) -> Int {
        handed.nodes.append(
            HandedNetwork.Node(floor: level.flatMap { floorOfIndex[$0.value] }, point: point))
        return handed.nodes.count - 1
    }

    private mutating func passage(_ way: WayArc) -> Int {
        if let connection = way.connection { return passage(ofConnection: connection) }
        return way.space.map { passage(ofSpace: $0) } ?? 0
    }

    private mutating func passage(ofSpace space: Int) -> Int {
        if let known = handed.passageOfSpace[space] { return known }
        let room = network.site.room(network.spaces[space].room)
        var passage = HandedNetwork.Passage(part: .room(room.id))
        passage.isRestricted = room.isRestricted
        passage.hours = network.roomHours[space]
        handed.passages.append(passage)
        handed.passageOfSpace[space] = handed.passages.count - 1
        return handed.passages.count - 1
    }

    private mutating func passage(ofConnection connection: Int) -> Int {
        if let known = handed.passageOfConnection[connection] { return known }
        let record = network.record(connection)
        var passage = HandedNetwork.Passage(part: .connection(record.id, record.kind))
        passage.isManual = record.kind == .door && record.isAutomatic == false
        passage.widthMetres = record.widthMetres
        if record.kind == .walk || record.kind == .ramp { passage.slope = record.slope.map(abs) }
        passage.kerbMetres = record.kerbMetres
        passage.hours = network.openingHours[connection]
        passage.touch = HandedNetwork.Touch(record)
        passage.room = record.kind == .walk ? record.onlyRoom : nil
        handed.passages.append(passage)
        handed.passageOfConnection[connection] = handed.passages.count - 1
        return handed.passages.count - 1
    }

    // MARK: Rooms

    mutating func addRooms() {
        var spots: [Int: [(room: Int, spot: PlaceSpot, isEnd: Bool)]] = [:]
        for index in network.site.rooms.indices {
            let record = network.site.room(RoomIndex(index))
            guard let floor = network.site.floorIndex(record.floor),
                let number = floorOfIndex[floor.value],
                let start = joined(record.id, isStart: true),
                let end = joined(record.id, isStart: false)
            else { continue }
            var room = HandedNetwork.Room(
                id: record.id, floor: number, starts: nodes(of: start, isStart: true),
                ends: nodes(of: end, isStart: false))
            room.stops = network.stops(in: RoomIndex(index)).map { node($0.node) }
            room.surface = record.surface
            room.hasTactilePaving = record.hasTactilePaving == true
            room.hasUnseenOpenings = network.site.unseenOpenings.rooms.contains(record.id)
            room.startPassage = start.spot?.space.map { passage(ofSpace: $0) }
            room.endPassage = end.spot?.space.map { passage(ofSpace: $0) }
            let links = start.anchors + end.anchors
            if !links.contains(where: { network.isOnMainland[$0.node.value] }) {
                room.startsNear = near(start, isStart: true)
                room.endsNear = near(end, isStart: false)
            }
            let at = handed.rooms.count
            handed.rooms.append(room)
            roomOfIndex[RoomIndex(index)] = at
            if let spot = start.spot, let space = spot.space {
                spots[space, default: []].append((at, spot, end.spot != nil))
            }
        }
        for (_, inSpace) in spots.sorted(by: { $0.key < $1.key }) { addSights(inSpace) }
        addWaysAlong()
    }

    private func joined(_ room: RoomID, isStart: Bool) -> JoinedPlace? {
        let joiner = PlaceJoiner(network: network, costs: costs[0], isUsable: { _ in true })
        return try? joiner.join(.room(room), isStart: isStart).first
    }

    /// The nodes of a place in a room: a new one, joined to those in sight, or its doors.
    private mutating func nodes(of place: JoinedPlace, isStart: Bool) -> [Int] {
        guard let spot = place.spot, let space = spot.space else {
            return place.anchors.map { node($0.node) }
        }
        guard !place.anchors.isEmpty else { return [] }
        let here = add(spot.level, spot.point)
        for anchor in place.anchors {
            let other = network.nodes[anchor.node.value]
            add(
                here, node(anchor.node), passage(ofSpace: space), isStart: isStart,
                metres: spot.point.distance(to: other.point))
        }
        return [here]
    }

    private mutating func add(
        _ here: Int, _ there: Int, _ passage: Int, isStart: Bool, metres: Double
    ) {
        let costs = costs.map { Cost(seconds: metres / $0.rules.profile.walkingSpeed) }
        let arc = HandedNetwork.Arc(
            tail: isStart ? here : there, head: isStart ? there : here, passage: passage,
            isEntrance: false, isBothWays: false, metres: metres)
        links.append(
            Link(arc: arc, costs: costs, prices: Array(repeating: .free, count: costs.count)))
    }

    /// The most places in one space between which straight ways are added.
    private static let mostInSight = 100

    /// Adds the straight ways between places of one space that are in sight of each other.
    private mutating func addSights(_ places: [(room: Int, spot: PlaceSpot, isEnd: Bool)]) {
        guard places.count <= Self.mostInSight, let space = places[0].spot.space else { return }
        let walls = network.spaces[space].space
        for start in places {
            for end in places where end.isEnd && end.room != start.room {
                guard walls?.isClear(from: start.spot.point, to: end.spot.point) ?? true,
                    let from = handed.rooms[start.room].starts.first,
                    let to = handed.rooms[end.room].ends.first
                else { continue }
                add(
                    from, to, passage(ofSpace: space), isStart: true,
                    metres: start.spot.point.distance(to: end.spot.point))
            }
        }
    }

    // MARK: Rooms without ways to them

    /// The most places near a room that are handed out.
    private static let mostNear = 12

    /// Nodes near a room to which no ways lead, the nearest first. A route takes the first one that
    /// its profile can use. The next one counts where the connection of the one before is closed.
    private mutating func near(_ place: JoinedPlace, isStart: Bool) -> [Int] {
        var nodes: [Int] = []
        var closed: Set<Int> = []
        while nodes.count < Self.mostNear {
            let (network, known) = (network, closed)
            let joiner = PlaceJoiner(network: network, costs: costs[0]) { arc in
                network.arcs[arc.value].connection.map { !known.contains($0) } ?? true
            }
            let found = joiner.nearby(place, isStart: isStart) { network.isOnMainland[$0.value] }
            guard let found, let spot = found.spot, !found.anchors.isEmpty else { break }
            let here = add(spot.level, spot.point)
            nodes.append(here)
            var connection: Int?
            for anchor in found.anchors {
                add(here, anchor, at: spot, isStart: isStart)
                connection = anchor.arc.flatMap { network.arcs[$0.value].connection }
            }
            guard let connection else { break }
            closed.insert(connection)
        }
        return nodes
    }

    /// Adds the link of a place to the network, with its cost for each profile.
    private mutating func add(
        _ here: Int, _ anchor: PlaceAnchor, at spot: PlaceSpot, isStart: Bool
    ) {
        let there = node(anchor.node)
        guard case .arc(let index, let shares, let foot) = anchor.join else {
            let point = network.nodes[anchor.node.value].point
            var passage = 0
            if case .space(let space, _) = anchor.join { passage = self.passage(ofSpace: space) }
            return add(
                here, there, passage, isStart: isStart, metres: spot.point.distance(to: point))
        }
        let way = network.arcs[index.value]
        let share = shares.upperBound - shares.lowerBound
        let metres = foot.distance(to: spot.point)
        let arc = HandedNetwork.Arc(
            tail: isStart ? here : there, head: isStart ? there : here, passage: passage(way),
            isEntrance: true, isBothWays: false, metres: metres + share * way.metres, bends: [foot])
        var link = Link(arc: arc, costs: [], prices: [])
        for costs in costs {
            let isOpen = costs.barriers(way).allSatisfy(\.isLeftToReader)
            let walk = Cost(seconds: metres / costs.rules.profile.walkingSpeed)
            link.costs.append(isOpen ? walk + costs.openCost(way, share: share) : .closed)
            link.prices.append(.free)
        }
        links.append(link)
        let near = Near(node: here, spot: spot, shares: shares, foot: foot)
        if isStart {
            startsOnArc[index.value, default: []].append(near)
        } else {
            endsOnArc[index.value, default: []].append(near)
        }
    }

    /// A place beside an arc at which a route begins or ends.
    private struct Near {
        var node: Int
        var spot: PlaceSpot
        var shares: ClosedRange<Double>
        var foot: Point
    }

    /// Adds the ways along one arc, from a place beside it to a later one.
    private mutating func addWaysAlong() {
        for (index, starts) in startsOnArc.sorted(by: { $0.key < $1.key })
        where starts.count <= Self.mostInSight {
            let way = network.arcs[index]
            for start in starts {
                for end in endsOnArc[index] ?? []
                where start.shares.lowerBound <= end.shares.upperBound {
                    add(from: start, to: end, along: way)
                }
            }
        }
    }

    private mutating func add(from start: Near, to end: Near, along way: WayArc) {
        let share = end.shares.upperBound - start.shares.lowerBound
        let walks = [
            start.foot.distance(to: start.spot.point), end.foot.distance(to: end.spot.point),
        ]
        let arc = HandedNetwork.Arc(
            tail: start.node, head: end.node, passage: passage(way), isEntrance: true,
            isBothWays: false, metres: walks[0] + share * way.metres + walks[1],
            bends: [start.foot, end.foot])
        var link = Link(arc: arc, costs: [], prices: [])
        for costs in costs {
            let isOpen = costs.barriers(way).allSatisfy(\.isLeftToReader)
            let speed = costs.rules.profile.walkingSpeed
            let seconds = walks[0] / speed + share * costs.seconds(way) + walks[1] / speed
            link.costs.append(isOpen ? Cost(seconds: seconds) : .closed)
            link.prices.append(.free)
        }
        links.append(link)
    }

    // MARK: The end

    mutating func add(_ place: HandedNetwork.Place) { handed.places.append(place) }

    /// The handed node of one of the network; nil if it is not a part.
    func known(_ node: NodeIndex) -> Int? { handed.nodeOf[node.value] }

    func made() -> HandedNetwork {
        let sorted = links.filter(\.arc.isBothWays) + links.filter { !$0.arc.isBothWays }
        var network = HandedNetwork()
        network.floors = handed.floors
        network.nodes = handed.nodes
        network.passages = handed.passages
        network.arcs = sorted.map(\.arc)
        network.rooms = handed.rooms
        network.places = handed.places
        network.profiles = costs.enumerated().map { index, costs in
            HandedNetwork.Profile(
                profile: costs.rules.profile, costs: sorted.map { $0.costs[index] },
                prices: sorted.enumerated().compactMap { arc, link in
                    let price = link.prices[index]
                    return price == .free || link.costs[index].isClosed ? nil : (arc, price)
                })
        }
        return network
    }
}

extension HandedNetwork {
    /// An empty one, to be filled.
    fileprivate init() {}
}

extension Barrier.Rule {
    /// Whether the one who searches a network that was handed out looks at this barrier.
    fileprivate var isLeftToReader: Bool {
        switch self {
        case .restricted, .tooNarrow, .tooSteep, .kerb: true
        case .steps, .escalator, .avoided, .inaccessible, .surface, .unknown, .outage, .shut: false
        }
    }
}
