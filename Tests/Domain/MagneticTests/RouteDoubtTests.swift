import Events
import Geometry
import Glibc
import SeededRandomness
import Testing

@testable import Magnetic

/// Routes of 30 m, walked again by phones with other offsets, before and after steel was moved.
///
/// The constants of `RouteDoubt` were chosen on the seeds 1 to 800. Here are others.
@Suite("RouteDoubt") struct RouteDoubtTests {
    private static let line = [Point(x: 0, y: 0), Point(x: 30, y: 0)]

    private static func field(_ seed: Int) -> SimulatedField {
        SimulatedField(seed: seed, width: 30, depth: 0)
    }

    private static func profile(_ seed: Int) throws -> MagneticProfile {
        var recorder = SimulatedWalker()
        recorder.paces = 1.0...1.4
        let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
        let (moments, steps) = recorder.walk(line, through: field(seed), seed: seed * 10)
        let walk = MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
        return MagneticProfile(try CheckedWalk(walk, along: path), along: path)
    }

    /// The walk of a number through a field, with up to five microtesla of the phone's own on each
    /// axis.
    private static func walk(
        _ seed: Int, _ number: Int, _ field: SimulatedField, _ path: MagneticPath
    ) throws -> (CheckedWalk, MagneticDirection) {
        var walker = SimulatedWalker()
        walker.paces = 0.8...1.5
        walker.bias = 5
        let isBackward = number % 2 == 1
        let (moments, steps) = walker.walk(
            line, backward: isBackward, through: field, seed: 100_000 + seed * 20 + number)
        let walk = MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
        return (
            try CheckedWalk(walk, along: path, isBackward: isBackward),
            isBackward ? .backward : .forward
        )
    }

    /// Whether the doubt exceeds the limit within these walks.
    private static func isNoticed(
        _ seed: Int, _ profile: MagneticProfile, _ field: SimulatedField, walks: Range<Int>,
        doubt: Double = 0
    ) throws -> (isNoticed: Bool, doubt: Double) {
        var (doubt, isNoticed) = (doubt, false)
        for number in walks {
            let (walk, direction) = try walk(seed, number, field, profile.path)
            doubt = RouteDoubt.after(doubt, profile, walk, direction)
            isNoticed = isNoticed || doubt > RouteDoubt.limit
        }
        return (isNoticed, doubt)
    }

    /// The change of the field in microtesla: its root mean square in the worst 4 m of the line.
    private static func change(_ one: SimulatedField, _ other: SimulatedField) -> Double {
        let squares = (0...120).map { cell -> Double in
            let (before, after) = (one.at(Double(cell) / 4, 0), other.at(Double(cell) / 4, 0))
            let level = hypot(before.x, before.y) - hypot(after.x, after.y)
            return level * level + (before.z - after.z) * (before.z - after.z)
        }
        let means = (0...(squares.count - 16)).map { start in
            squares[start..<(start + 16)].reduce(0, +) / 16
        }
        return means.max()!.squareRoot()
    }

    @Test(
        "Moved steel is mostly noticed within five walks, and good routes hardly ever are doubted")
    func bar() throws {
        var (alarms, noticed, stray) = (0, 0, 0)
        var sizes: [(microtesla: Double, isNoticed: Bool)] = []
        let seeds = 3_001..<3_101
        for seed in seeds {
            let profile = try Self.profile(seed)
            let field = Self.field(seed)
            let before = try Self.isNoticed(seed, profile, field, walks: 0..<1)
            let good = try Self.isNoticed(seed, profile, field, walks: 1..<6, doubt: before.doubt)
            alarms += before.isNoticed || good.isNoticed ? 1 : 0
            let place = Point(x: 4 + Double(seed * 37 % 22), y: 0)
            let moved = field.exchanged(for: Self.field(seed + 5_000), at: place, within: 4)
            let bad = try Self.isNoticed(seed, profile, moved, walks: 6..<11, doubt: before.doubt)
            noticed += bad.isNoticed ? 1 : 0
            sizes.append((Self.change(field, moved), bad.isNoticed))
            let other = try Self.isNoticed(
                seed, profile, Self.field(seed + 20_000), walks: 11..<13, doubt: before.doubt)
            stray += other.isNoticed ? 1 : 0
        }
        print(
            "routes:", seeds.count, "false alarms", alarms, "moved steel noticed", noticed,
            "doubted after two walks in another corridor", stray)
        for (least, most) in [(0.0, 12.0), (12, 16), (16, 20), (20, 25), (25, 100)] {
            let changes = sizes.filter { $0.microtesla >= least && $0.microtesla < most }
            print(
                "changes of \(least) to \(most) microtesla:", changes.count, "noticed",
                changes.count(where: \.isNoticed))
        }
        #expect(alarms <= 1)
        #expect(noticed >= 65)
        #expect(stray <= 5)
    }

    @Test("A change in the last metres of a route is in a window")
    func end() throws {
        // Windows half their length apart would end at 28 m.
        let profile = try Self.profile(31)
        let (walk, direction) = try Self.walk(31, 0, Self.field(31), profile.path)
        let score = try #require(RouteDoubt.score(profile, walk, direction))
        var places = walk.places
        for index in places.indices where places[index].walkedMetres > 28.25 {
            places[index].feature.magnitude += 40
            places[index].feature.down = places[index].feature.down.map { $0 - 40 }
        }
        let changed = CheckedWalk(places: places)
        let after = try #require(RouteDoubt.score(profile, changed, direction))
        #expect(after > score + 0.5)
    }

    @Test("A walk in another corridor adds nothing")
    func elsewhere() throws {
        let profile = try Self.profile(40)
        let (walk, direction) = try Self.walk(40, 0, Self.field(20_040), profile.path)
        #expect(RouteDoubt.score(profile, walk, direction) == nil)
        #expect(RouteDoubt.after(0.7, profile, walk, direction) == 0.7)
    }

    @Test("The score is that of a plain search over all windows and shifts", arguments: 0..<4)
    func slow(seed: Int) throws {
        let profile = try Self.profile(seed + 40)
        let field = Self.field(seed + 40).exchanged(
            for: Self.field(seed + 90), at: Point(x: 12, y: 0), within: 4)
        let (walk, direction) = try Self.walk(seed, seed, field, profile.path)
        let score = try #require(RouteDoubt.score(profile, walk, direction))
        #expect(abs(score - Self.slowScore(profile, walk, direction == .backward)) < 1e-9)
    }

    /// The same from places and dictionaries instead of cells in order.
    private static func slowScore(
        _ profile: MagneticProfile, _ walk: CheckedWalk, _ isBackward: Bool
    ) -> Double {
        var samples: [Int: [FieldFeature]] = [:]
        for place in walk.places {
            let arc = isBackward ? 30 - place.walkedMetres : place.walkedMetres
            samples[Int((arc * 4).rounded()), default: []].append(place.feature)
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        func level(_ magnitude: Double, _ down: Double) -> Double {
            max(0, magnitude * magnitude - down * down).squareRoot()
        }
        var recorded: [Int: (level: Double, down: Double)] = [:]
        for (cell, feature) in profile.features.enumerated() {
            recorded[cell] = (level(feature.magnitude, feature.down!), feature.down!)
        }
        func typical(_ pairs: [(value: Double, scale: Double)]) -> Double {
            let median = pairs.map(\.value).sorted()[pairs.count / 2]
            return pow(mean(pairs.map { (abs($0.value - median) / $0.scale).squareRoot() }), 4)
        }
        let starts = [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 89]
        let scores = starts.compactMap { start -> Double? in
            let squares = (-8...8).compactMap { shift -> Double? in
                var (levels, downs) = (
                    [(value: Double, scale: Double)](), [(value: Double, scale: Double)]()
                )
                for cell in start..<(start + 32) {
                    guard let expected = recorded[cell + shift], let own = samples[cell] else {
                        continue
                    }
                    let (before, after) = (
                        recorded[cell + shift - 1] ?? expected,
                        recorded[cell + shift + 1] ?? expected
                    )
                    let isEnd =
                        recorded[cell + shift - 1] == nil || recorded[cell + shift + 1] == nil
                    let metres = isEnd ? 0.25 : 0.5
                    let slope =
                        (pow(after.level - before.level, 2) + pow(after.down - before.down, 2))
                        / (metres * metres)
                    let scale = (1 + 0.09 * slope).squareRoot()
                    let (strength, down) = (
                        mean(own.map(\.magnitude)), mean(own.map { $0.down! })
                    )
                    levels.append((level(strength, down) - expected.level, scale))
                    downs.append((down - expected.down, scale))
                }
                return levels.count >= 20 ? typical(levels) + typical(downs) : nil
            }
            return squares.min().map { log($0) / 2 }
        }
        let ascending = scores.sorted()
        return (ascending.last! - 0.75 * ascending[(scores.count - 1) / 4]) * 18 / 7
    }
}
