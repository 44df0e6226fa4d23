import Events
import Geometry
import Positioning
import SeededRandomness
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("Calibration of nodes") struct NodeCalibratorTests {
    @Test("Offsets of -12 to 12 dB are found, with honest standard errors", arguments: [11, 12])
    func offsets(seed: UInt64) throws {
        let hearing = try SimulatedHearing(seed: seed)
        let calibration = try #require(
            hearing.calibration(hearing.hearings(.init(hours: 1, seed: seed)), hours: 1))
        // Those that hear only one other are left out.
        #expect(calibration.nodes.count >= hearing.nodes.count * 3 / 4)
        #expect(calibration.nodes.allSatisfy { $0.state == .working })
        let errors = calibration.nodes.map {
            $0.offset - hearing.nodes.receiverOffset(of: $0.scanner)!
        }
        // The part that all have in common is the device's strength, which is unknown anyway.
        let common = errors.reduce(0, +) / Double(errors.count)
        let square = errors.reduce(0) { $0 + ($1 - common) * ($1 - common) }
        #expect((square / Double(errors.count)).squareRoot() < 4)
        let scaled = zip(errors, calibration.nodes).reduce(0.0) {
            let deviations = ($1.0 - common) / $1.1.offsetError
            return $0 + deviations * deviations
        }
        #expect((0.5...2).contains(scaled / Double(errors.count)))
    }

    @Test("Equal hearings give equal calibrations in any order")
    func order() throws {
        let hearing = try SimulatedHearing(seed: 13)
        let all = hearing.hearings(.init(hours: 0.5, seed: 1))
        var random = SeededRandom(seed: 2)
        let one = hearing.calibration(all, hours: 1)
        #expect(one != nil)
        #expect(hearing.calibration(all.shuffled(using: &random), hours: 1) == one)
        #expect(one?.isNews(after: one) == false)
        #expect(one?.isNews(after: nil) == true)
    }

    @Test("Without hearings, and long after them, there is no calibration")
    func none() throws {
        let hearing = try SimulatedHearing(seed: 13)
        #expect(hearing.calibration([], hours: 1) == nil)
        let old = hearing.hearings(.init(hours: 0.5, seed: 1))
        let later = Double(NodeCalibrator.historyHours + 3)
        #expect(hearing.calibration(old, hours: later)?.nodes.allSatisfy { $0.links == 0 } ?? true)
    }

    @Test("The equations give what elimination gives", arguments: 0..<20 as Range<UInt64>)
    func equations(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let truth = (0..<5).map { _ in Double.random(in: -9...9, using: &random) }
        var system = NormalEquations(count: 5)
        for _ in 0..<12 {
            let terms = (0..<5).map {
                (unknown: $0, factor: Double.random(in: -2...2, using: &random))
            }
            let value = terms.reduce(0) { $0 + $1.factor * truth[$1.unknown] }
            system.add(terms, value: value, weight: Double.random(in: 0.5...2, using: &random))
        }
        for (found, wanted) in zip(system.solved(), truth) { #expect(abs(found - wanted) < 1e-6) }
        #expect(system.variances(of: 0..<5).allSatisfy { $0 > 0 })
    }

    @Test("A diagonal system has the inverse weights as variances")
    func variances() {
        var system = NormalEquations(count: 3)
        for (unknown, weight) in [2.0, 4, 8].enumerated() {
            system.add([(unknown, 1)], value: 1, weight: weight)
        }
        for (found, wanted) in zip(system.variances(of: 0..<3), [0.5, 0.25, 0.125]) {
            #expect(abs(found - wanted) < 1e-12)
        }
    }

    @Test("The excess of a half-heard signal is that of a half normal distribution")
    func excess() {
        // sigma * sqrt(2 / pi), the mean of a half normal distribution.
        #expect(abs(NodeHearingModel.excess(share: 0.5) - 4 * 0.797_884_56) < 1e-4)
        #expect(NodeHearingModel.excess(share: 1) == 0)
        let rare = NodeHearingModel.excess(share: 0.05)
        #expect(rare > NodeHearingModel.excess(share: 0.5))
    }

    @Test("A change of 1 dB of a node is no news, but one of 2 dB is")
    func news() throws {
        let hearing = try SimulatedHearing(seed: 13)
        let one = try #require(
            hearing.calibration(hearing.hearings(.init(hours: 0.5, seed: 1)), hours: 1))
        var other = one
        other.nodes[0].offset += 1.5
        #expect(!other.isNews(after: one))
        other.nodes[0].offset += 1
        #expect(other.isNews(after: one))
        other = one
        other.nodes[0].state = .deaf
        #expect(other.isNews(after: one))
        other = one
        other.nodes.removeLast()
        #expect(other.isNews(after: one))
    }

    @Test("The mean of a whole day counts more than those of its last hours")
    func days() throws {
        let hearing = try SimulatedHearing(seed: 13)
        let (source, node) = (ScannerID("node-0"), ScannerID("node-1"))
        let hours = [(1, 2_400, -70.0), (30, 100, -60), (31, 100, -61)].map {
            NodeHearing(
                source: .node(source), node: node, hour: $0.0, windows: $0.1, readings: $0.1,
                mean: $0.2)
        }
        let links = NodeLinks(hearing.published.index).links(hours)
        #expect(links.first { !$0.isBound }?.mean == -70)
    }
}
