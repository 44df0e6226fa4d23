import Beacons
import Foundation
import Positioners
import Positioning
import ServiceHost
import Testing

@Suite struct PositionerOptionTests {
    @Test("An option gives the positioner's name")
    func names() throws {
        #expect(try PositionerOption("knn").name == "knn")
        #expect(try PositionerOption("near=knn:k=3").name == "near")
        #expect(try PositionerOption("mine=exec:A=b python3 mine.py").name == "mine")
        let program = try PositionerOption("exec:A=b python3 mine.py")
        #expect(program.isProgram)
        #expect(program.name.wholeMatch(of: /exec-[0-9a-f]{8}/) != nil)
        #expect(try PositionerOption("exec:other").name != program.name)
        let adjusted = try PositionerOption("knn:k=3")
        #expect(!adjusted.isProgram)
        let note: @Sendable (String) -> Void = { _ in }
        #expect(adjusted.positioner(settings: .serving(), note: note).name == adjusted.name)
        #expect(program.positioner(settings: .serving(), note: note).name == program.name)
    }

    @Test("Several options have semicolons between them")
    func lists() throws {
        let list = try PositionerOption.list("knn; near=knn:distance=cosine,k=3 ;mine=exec:a b;")
        #expect(list.map(\.name) == ["knn", "near", "mine"])
        #expect(try PositionerOption.list("").isEmpty)
    }

    @Test(
        "An unknown positioner, a wrong name and a repeated name are refused",
        arguments: [
            "nobody", "knn:k=0", "exec:", "Mine=knn", "=knn", "a_b=knn", "knn; knn",
            "x=knn;x=exec:a",
        ])
    func faults(text: String) {
        #expect(throws: PositionerOptionFault.self) { try PositionerOption.list(text) }
    }

    /// Runs the body with the path of a file with this text.
    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-beacons-\(UUID().uuidString).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private static func document(_ more: String) -> String {
        """
        {"name": "F", "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e",
         "map": {"width": 10, "height": 5, "unitsPerMetre": 1}\(more)}
        """
    }

    @Test("A document of beacons makes a positioner with parameters and a name")
    func beacons() throws {
        try withFile(Self.document(#", "floor": "ground""#)) { path in
            let option = try PositionerOption("beacons:file=\(path)")
            #expect(option.name == "beacons" && !option.isProgram)
            let linear = try PositionerOption("beacons:method=linear,file=\(path),majors=1+2")
            #expect(linear.name == "beacons-majors-1.2-method-linear")
            let named = try PositionerOption("hall=beacons:file=\(path)")
            #expect(named.name == "hall")
            let positioner = named.positioner(settings: .serving(), note: { _ in })
            #expect(positioner.name == "hall" && positioner.worksWithoutMap)
        }
    }

    @Test("A document of beacons with other contents is another document")
    func beaconDocuments() throws {
        func hash(_ more: String) throws -> UInt64? {
            var hash: UInt64?
            try withFile(Self.document(#", "floor": "ground""# + more)) { path in
                let option = try PositionerOption("beacons:method=linear,file=\(path)")
                let made = option.positioner(settings: .serving(), note: { _ in })
                hash = (made as? BeaconsPositioner)?.documentHash
            }
            return hash
        }
        let first = try #require(try hash(""))
        #expect(try hash("") == first)
        #expect(try hash(" ") != first)
        #expect(BeaconsPositioner().documentHash == nil)
    }

    @Test("A fault of a beacon document is reported with the file and the place in it")
    func beaconFaults() throws {
        func fault(_ text: String) -> String? {
            do throws(PositionerOptionFault) {
                _ = try PositionerOption(text)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(fault("beacons") == nil && fault("beacons:method=linear") == nil)
        #expect(fault("beacons:file=")?.contains("beacons:file=PATH") == true)
        #expect(fault("beacons:file=/none/such.json")?.contains("/none/such.json") == true)
        try withFile("{") { path in
            #expect(fault("beacons:file=\(path)")?.contains(path) == true)
        }
        try withFile(Self.document("")) { path in
            #expect(fault("beacons:file=\(path)") == "beacons: \(path) names no floor")
        }
        let outside = #", "groups": [{"id": "g", "beacons": [{"absolute": [11, 0]}]}]"#
        try withFile(Self.document(outside)) { path in
            let said = try #require(fault("beacons:file=\(path)"))
            #expect(said.contains(path) && said.contains("groups[0].beacons[0]"))
            #expect(said.contains("place-out-of-range"))
        }
        try withFile(Self.document(#", "floor": "ground""#)) { path in
            for wrong in ["method=magic", "beacons=0", "window=11", "majors=70000", "size=1", "x"] {
                let said = fault("beacons:file=\(path),\(wrong)")
                #expect(said?.contains("does not fit beacons") == true, "\(wrong)")
            }
        }
    }
}
