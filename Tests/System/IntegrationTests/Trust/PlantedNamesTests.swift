import TestSupport
import Testing

extension IntegrationTests {
    /// Tests/System/PlantedNames: names that are the staff's or hidden, in every kind of record.
    @Suite("Planted names", .timeLimit(.minutes(10))) struct PlantedNamesTests {
        @Test("No answer to a stranger has a name that is the staff's or hidden")
        func names() throws {
            let run = try PythonRun("PlantedNames/planted_names.py", [])
            #expect(run.status == 0, "\(run.outcome)")
            print("planted names: \(run.said.split(separator: "\n").last ?? "")")
        }

        @Test("One planted room that is public is noticed")
        func planted() throws {
            let run = try PythonRun("PlantedNames/planted_names.py", ["--planted", "public-room"])
            #expect(run.status == 1, "\(run.outcome)")
            #expect(run.outcome.contains("zq03"), "\(run.outcome)")
        }
    }
}
