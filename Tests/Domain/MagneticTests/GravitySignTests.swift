import Events
import Geometry
import Positioning
import SeededRandomness
import Testing

@testable import Magnetic

@Suite("The sign of gravity") struct GravitySignTests {
    private static let line = [Point(x: 0, y: 0), Point(x: 30, y: 0)]
    private static let polyline = line.map { MagneticRoutePoint(x: $0.x, y: $0.y) }
    private static let field = SimulatedField(seed: 21, width: 30, depth: 0)
    private static let now = Timestamp(milliseconds: 0)

    private static func walk(_ seed: Int, hasGravity: Bool = true) -> MagneticWalk {
        var walker = SimulatedWalker()
        walker.paces = 1.0...1.4
        walker.hasGravity = hasGravity
        let (moments, steps) = walker.walk(line, through: field, seed: seed)
        return MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
    }

    /// The fault with which a recording is refused.
    private func fault(_ walk: MagneticWalk, latitude: Double?) -> MagneticRouteRefusal? {
        let state = MagneticRouteState(site: SiteID("s"), route: MagneticRouteID("r"))
        do throws(MagneticRouteRefusal) {
            _ = try state.record(
                floor: FloorID("0"), polyline: Self.polyline, walk: walk, at: Self.now,
                latitude: latitude)
            return nil
        } catch { return error }
    }

    private func recorded(_ walk: MagneticWalk) throws -> MagneticRouteState {
        var state = MagneticRouteState(site: SiteID("s"), route: MagneticRouteID("r"))
        let event = try state.record(
            floor: FloorID("0"), polyline: Self.polyline, walk: walk, at: Self.now)
        state.evolve(try #require(event))
        return state
    }

    @Test("A recording whose field points the other way than the Earth's is refused")
    func recordings() throws {
        let (right, wrong) = (Self.walk(1), Self.walk(1).upsideDown)
        #expect(fault(right, latitude: 51.5) == nil)
        #expect(fault(wrong, latitude: -35) == nil)
        for (walk, latitude, way) in [(wrong, 51.5, "up"), (right, -35, "down")] {
            let refusal = try #require(fault(walk, latitude: latitude))
            guard case .unusable(let fault) = refusal else {
                Issue.record("\(refusal)")
                return
            }
            #expect("\(fault)".contains("points \(way) by 4"), "\(fault)")
            #expect("\(fault)".contains("latitude of \(latitude)"), "\(fault)")
            #expect("\(fault)".contains("Android's negated"), "\(fault)")
        }
        // Near the equator, and without gravity, there is no sign to expect.
        for latitude in [nil, 0, 19.9, -19.9] {
            #expect(fault(right, latitude: latitude) == nil)
            #expect(fault(wrong, latitude: latitude) == nil)
        }
        #expect(fault(Self.walk(1, hasGravity: false), latitude: -35) == nil)
    }

    @Test("Steel that leaves no clear sign refuses no recording")
    func unclear() throws {
        func fault(_ down: Double) -> MagneticFault? {
            let count = 101
            let profile = try? MagneticProfile(
                CheckedWalk(
                    MagneticWalk(
                        samples: (0..<count).map {
                            MagneticSample(
                                atMilliseconds: $0 * 100,
                                field: MagneticField(x: 30, y: 0, z: -down),
                                gravity: MagneticField(x: 0, y: 0, z: -1))
                        }), along: MagneticPath([Self.polyline[0], .init(x: 10, y: 0)])),
                along: MagneticPath([Self.polyline[0], .init(x: 10, y: 0)]))
            guard let profile else { return .tooFewSamples }
            do throws(MagneticFault) {
                try GravitySign.check(profile, latitude: 51.5)
                return nil
            } catch { return error }
        }
        #expect(fault(-9.9) == nil)
        #expect(fault(-10.1) != nil)
        #expect(fault(10.1) == nil)
    }

    @Test("A walk of the other sign is refused and takes no route out of use")
    func validations() throws {
        for (recording, other) in [
            (Self.walk(1), Self.walk(2).upsideDown),
            (Self.walk(1).upsideDown, Self.walk(2)),
        ] {
            var state = try recorded(recording)
            do throws(MagneticRouteRefusal) {
                _ = try state.validate(by: other, at: Self.now)
                Issue.record("not refused")
            } catch {
                guard case .unusable(let fault) = error,
                    case .gravityAgainstRecording(let down, let before) = fault
                else {
                    Issue.record("\(error)")
                    return
                }
                #expect((down < 0) == (before > 0))
                let (way, against) = down < 0 ? ("up", "down") : ("down", "up")
                #expect("\(fault)".contains("the walk's field points \(way) by 4"), "\(fault)")
                #expect("\(fault)".contains("of the recording \(against) by 4"), "\(fault)")
                #expect("\(fault)".contains("Android's negated"), "\(fault)")
            }
            let valid = try #require(try state.validate(by: other.upsideDown, at: Self.now))
            state.evolve(valid)
            #expect(state.stage == .valid)
        }
        // Where one of the two has no gravity, the strength alone is compared.
        let state = try recorded(Self.walk(1))
        #expect(try state.validate(by: Self.walk(2, hasGravity: false), at: Self.now) != nil)
    }

    @Test("Samples without gravity hide no wrong sign, until they are more than half")
    func gaps() throws {
        let state = try recorded(Self.walk(1))
        let wrong = Self.walk(2).upsideDown
        func isRefused(_ lacks: (Int) -> Bool) throws -> Bool {
            var walk = wrong
            for index in walk.samples.indices where lacks(index) {
                walk.samples[index].gravity = nil
            }
            do throws(MagneticRouteRefusal) {
                _ = try state.validate(by: walk, at: Self.now)
                return false
            } catch .unusable(.gravityAgainstRecording) {
                return true
            }
        }
        #expect(try isRefused { _ in false })
        #expect(try isRefused { $0 == 0 })
        #expect(try isRefused { $0 % 5 < 2 })
        #expect(try !isRefused { $0 % 5 < 3 })
    }

    /// The evidence of scans of two seconds each.
    private static func evidence(
        _ walk: MagneticWalk, _ follower: MagneticFollower
    ) -> [[PlaceEvidence]] {
        var state = PositionerState.empty
        return stride(from: 0, to: walk.samples.count - 40, by: 40).map { first in
            let scan = ScanRecorded(
                id: EventID(high: 0, low: UInt64(first)), site: SiteID("s"), device: DeviceID("d"),
                scanner: ScannerID("d"), at: now, receivedAt: now,
                magneticSamples: Array(walk.samples[first..<(first + 40)]))
            let answer = follower.follow(scan, state: state)
            state = answer.state
            return answer.evidence
        }
    }

    @Test("Scans are followed as well with gravity of the other sign")
    func scans() throws {
        var state = try recorded(Self.walk(1))
        state.evolve(try #require(try state.validate(by: Self.walk(2), at: Self.now)))
        let follower = MagneticFollower([try #require(state.matchable)])
        let walk = Self.walk(3)
        let right = Self.evidence(walk, follower)
        #expect(Self.evidence(walk.upsideDown, follower) == right)
        let last = try #require(right.last?.max { $0.weight < $1.weight })
        #expect(last.weight > 0.5 && last.point.x > 20)
    }

    @Test("A lift's door does not hide the wrong sign, but two metres of steel do")
    func doors() throws {
        func cells(turned: Range<Int>) -> [FieldFeature] {
            (0..<100).map {
                FieldFeature(magnitude: 60, down: turned.contains($0) ? -50 : 30)
            }
        }
        let samples = (0..<20).map {
            MagneticSample(
                atMilliseconds: $0 * 100, field: MagneticField(x: 30, y: 0, z: 30),
                gravity: MagneticField(x: 0, y: 0, z: -1))
        }
        let turned = MagneticWalk(samples: samples).upsideDown.samples
        let plain = cells(turned: 0..<0)
        for at in [0, 50, 99] {
            let door = try #require(GravitySign.range([plain, cells(turned: at..<(at + 1))]))
            #expect(door == 20...30)
            #expect(GravitySign.suiting(door, samples) == turned)
        }
        let steel = try #require(GravitySign.range([cells(turned: 40..<48), plain]))
        #expect(steel == -50...30)
        #expect(GravitySign.suiting(steel, samples) == samples)
    }

    @Test("The range of routes is that of all stretches of two metres", arguments: 0..<200)
    func slowRange(seed: Int) {
        var random = SeededRandom(seed: seed)
        let routes = (0..<Int.random(in: 0...4, using: &random)).map { _ -> [FieldFeature] in
            let hasGravity = Int.random(in: 0...3, using: &random) > 0
            return (0..<Int.random(in: 1...40, using: &random)).map { _ in
                let down = Double.random(in: -60...60, using: &random)
                return FieldFeature(magnitude: 60, down: hasGravity ? down : nil)
            }
        }
        var means: [Double] = []
        for cells in routes where cells.allSatisfy({ $0.down != nil }) {
            for first in cells.indices {
                // A cell is 0.25 m long. A shorter route has one stretch.
                guard first == 0 || first + 8 <= cells.count else { continue }
                var (sum, count) = (0.0, 0.0)
                for (index, cell) in cells.enumerated() where (first..<(first + 8)).contains(index)
                {
                    sum += cell.down ?? .nan
                    count += 1
                }
                means.append(sum / count)
            }
        }
        let range = GravitySign.range(routes)
        #expect(range?.lowerBound == means.min())
        #expect(range?.upperBound == means.max())
    }

    @Test("A scan's gravity is negated where a plain search says so", arguments: 0..<200)
    func slow(seed: Int) {
        var random = SeededRandom(seed: seed)
        func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        let least = draw(-70...60)
        let routes = least...(least + draw(0...40))
        let centre = draw(-60...60)
        let samples = (0..<20).map { index in
            MagneticSample(
                atMilliseconds: index,
                field: MagneticField(x: draw(5...20), y: 0, z: centre + draw(-5...5)),
                gravity: index % 7 == 6 ? nil : MagneticField(x: 0, y: 0, z: -draw(1...10)))
        }
        let ups = samples.filter { $0.gravity != nil }.map(\.field.z)
        let down = -ups.reduce(0, +) / Double(ups.count)
        /// The distance to the nearest of many values of the routes.
        func nearest(_ value: Double) -> Double {
            (0...4_000).map { step in
                let width = routes.upperBound - routes.lowerBound
                return abs(routes.lowerBound + width * Double(step) / 4_000 - value)
            }.min()!
        }
        let gain = nearest(down) - nearest(-down)
        // The search is exact to a hundredth of a microtesla.
        guard abs(gain - 20) > 0.02 else { return }
        let suiting = GravitySign.suiting(routes, samples)
        let expected = gain > 20 ? MagneticWalk(samples: samples).upsideDown.samples : samples
        #expect(suiting == expected)
        #expect(GravitySign.suiting(nil, samples) == samples)
    }
}

extension MagneticWalk {
    /// The same with gravity of the other sign.
    fileprivate var upsideDown: MagneticWalk {
        var walk = self
        for index in samples.indices {
            walk.samples[index].gravity = samples[index].gravity.map {
                MagneticField(x: -$0.x, y: -$0.y, z: -$0.z)
            }
        }
        return walk
    }
}
