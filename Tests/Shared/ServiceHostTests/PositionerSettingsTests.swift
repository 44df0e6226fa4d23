import Events
import Positioners
import Positioning
import ServiceHost
import ServiceRuntime
import Testing

@testable import RadioMapCare

@Suite("The positioners that the operator allows") struct PositionerSettingsTests {
    private func configuration(_ standard: String?, _ allowed: String?) throws -> Configuration {
        var environment: [String: String] = [:]
        environment["WHEREABOUTS_POSITIONER"] = standard
        environment["WHEREABOUTS_POSITIONERS"] = allowed
        return try Configuration(
            environment: environment, settings: Host.settings + PositionerSettings.all)
    }

    @Test("Without a setting sites may select all that come with the program, and no other")
    func standard() throws {
        let configuration = try configuration(nil, nil)
        let names = try PositionerSettings.names(configuration)
        #expect(names.standard == "auto")
        #expect(
            names.names.sorted() == (PositionerRegistry.standard.names + ["beacons"]).sorted())
        #expect(try PositionerSettings(configuration).options.map(\.name) == names.names)
    }

    @Test(
        "A default with the name of one that comes with the program stands in its place",
        arguments: ["beacons:file=/none/such.json", "beacons", "knn=auto"])
    func inPlace(standard: String) throws {
        let names = try PositionerSettings.names(try configuration(standard, nil))
        #expect(names.names.count == PositionerRegistry.standard.names.count + 1)
        #expect(names.standard == (standard.hasPrefix("knn") ? "knn" : "beacons"))
    }

    @Test("Programs have the names that the operator gave them; the default is always allowed")
    func named() throws {
        let configuration = try configuration(
            "near=knn:k=3", "auto; mine=exec:python3 mine.py;near=knn:k=3; knn:k=7")
        let names = try PositionerSettings.names(configuration)
        #expect(names.standard == "near")
        #expect(names.names.prefix(3) == ["near", "auto", "mine"] && names.names.count == 4)
        let options = try PositionerSettings(configuration).options
        #expect(options.map(\.name) == names.names)
        #expect(options.map(\.isProgram) == [false, false, true, false])
    }

    @Test("A process without programs can try all others; beacons need readings as they were sent")
    func candidates() throws {
        let configuration = try configuration(
            "mine=exec:python3 mine.py", "knn; beacons; doc=beacons:file=/none/such.json")
        let stock = try PositionerSettings.candidates(configuration)
        let selection = PositionerSelection(beside: ["knn", "beacons", "doc", "old"])
        let candidates = stock.candidates(for: selection)
        #expect(candidates.map(\.name) == ["mine", "knn", "beacons", "doc", "old"])
        #expect(
            candidates.map { $0.obstacle(areSent: true) }
                == [.program, nil, nil, .document, .notAllowed])
        #expect(candidates.map { $0.obstacle(areSent: false) }[2] == .sentReadings)
        // The text of a command may hold a secret, and a basis is stored.
        #expect(!candidates[0].basis.contains("python3"))
    }

    @Test(
        "A program without a name, two of one name, nonsense and too many are refused",
        arguments: [
            "exec:python3 mine.py", "a=knn; a=auto", "oracle",
            (1...33).map { "n\($0)=knn" }.joined(separator: ";"),
        ])
    func refused(allowed: String) {
        #expect(throws: ConfigurationError.self) { try configuration(nil, allowed) }
    }

    @Test("Two of one name are refused, also where one is the default")
    func twice() throws {
        let configuration = try configuration("near=knn:k=3", "near=knn:k=5")
        #expect(throws: PositionerOptionFault.self) {
            try PositionerSettings.names(configuration)
        }
        let faults = PositionerSettings.faults(in: [
            "WHEREABOUTS_POSITIONER": "near=knn:k=3", "WHEREABOUTS_POSITIONERS": "near=knn:k=5",
        ])
        #expect(faults.count == 1)
    }

    @Test("A document of beacons need not be there where nothing is located")
    func beacons() throws {
        let option = "hall=beacons:file=/none/such.json"
        let names = try PositionerSettings.names(try configuration("auto", option))
        #expect(names.names == ["auto", "hall"])
        let faults = PositionerSettings.faults(in: ["WHEREABOUTS_POSITIONERS": option])
        #expect(faults.map(\.problem).joined().contains("/none/such.json"))
    }
}
