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
    /// For each profile, the arcs that it can use.
    private let metrics: [Metric]
    /// For each of the site's floors, its index among those that are handed out.
    private(set) var floorOfIndex: [Int: Int] = [:]
    private var handed = Handed()
    private var links: [Link] = []
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
        metrics = costs.map { $0.metric() }
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
                let start = joined(record.id, 0, isStart: true),
                let end = joined(record.id, 0, isStart: false)
            else { continue }
            var room = HandedNetwork.Room(
                id: record.id, floor: number, starts: nodes(of: start, isStart: true),
                ends: nodes(of: end, isStart: false))
            room.startPassage = start.spot?.space.map { passage(ofSpace: $0) }
            room.endPassage = end.spot?.space.map { passage(ofSpace: $0) }
            let links = start.anchors + end.anchors
            if !links.contains(where: { network.isOnMainland[$0.node.value] }) {
                room.startsNear = near(record.id, start, isStart: true)
                room.endsNear = near(record.id, end, isStart: false)
            }
            let at = handed.rooms.count
            handed.rooms.append(room)
            roomOfIndex[RoomIndex(index)] = at
            if let spot = start.spot, let space = spot.space {
                spots[space, default: []].append((at, spot, end.spot != nil))
            }
        }
        for (_, inSpace) in spots.sorted(by: { $0.key < $1.key }) { addSights(inSpace) }
    }

    private func joined(_ room: RoomID, _ profile: Int, isStart: Bool) -> JoinedPlace? {
        try? joiner(profile).join(.room(room), isStart: isStart).first
    }

    private func joiner(_ profile: Int) -> PlaceJoiner {
        let metric = metrics[profile]
        return PlaceJoiner(
            network: network, costs: costs[profile], isUsable: { !metric[$0].isClosed })
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

    /// The node near a room to which no ways lead. Each profile may have other links to it.
    private mutating func near(_ room: RoomID, _ place: JoinedPlace, isStart: Bool) -> [Int] {
        var joined: [(node: Int, passage: Int, anchor: PlaceAnchor, costs: [Cost])] = []
        var spot: PlaceSpot?
        for profile in costs.indices {
            let found = joiner(profile).nearby(place, isStart: isStart) { node in
                network.isOnMainland[node.value]
            }
            guard let found else { continue }
            spot = spot ?? found.spot
            for anchor in found.anchors {
                let (node, passage) = (node(anchor.node), passage(of: anchor))
                var index = joined.firstIndex { $0.node == node && $0.passage == passage }
                if index == nil {
                    let closed = [Cost](repeating: .closed, count: costs.count)
                    joined.append((node, passage, anchor, closed))
                    index = joined.count - 1
                }
                if let index {
                    let known = joined[index].costs[profile]
                    joined[index].costs[profile] = min(known, anchor.cost)
                }
            }
        }
        guard let spot, !joined.isEmpty else { return [] }
        let here = add(spot.level, spot.point)
        for (there, passage, anchor, costs) in joined {
            var arc = HandedNetwork.Arc(
                tail: isStart ? here : there, head: isStart ? there : here, passage: passage,
                isEntrance: anchor.arc != nil, isBothWays: false,
                metres: spot.point.distance(to: network.nodes[anchor.node.value].point))
            if case .arc(let index, let shares, let foot) = anchor.join {
                let share = shares.upperBound - shares.lowerBound
                arc.metres =
                    share * network.arcs[index.value].metres + foot.distance(to: spot.point)
                arc.bends = [foot]
            }
            links.append(
                Link(arc: arc, costs: costs, prices: Array(repeating: .free, count: costs.count)))
        }
        return [here]
    }

    private mutating func passage(of anchor: PlaceAnchor) -> Int {
        switch anchor.join {
        case .space(let space, _): passage(ofSpace: space)
        case .arc(let arc, _, _): passage(network.arcs[arc.value])
        case .node, .straight: 0
        }
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
