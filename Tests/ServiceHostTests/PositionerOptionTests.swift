import Positioning
import ServiceHost
import Testing

@Suite struct PositionerOptionTests {
    @Test("An option says what the positioner is called")
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

    @Test("Several have semicolons between them")
    func lists() throws {
        let list = try PositionerOption.list("knn; near=knn:distance=cosine,k=3 ;mine=exec:a b;")
        #expect(list.map(\.name) == ["knn", "near", "mine"])
        #expect(try PositionerOption.list("").isEmpty)
    }

    @Test(
        "What nobody knows, is called wrongly or twice is refused",
        arguments: [
            "nobody", "knn:k=0", "exec:", "Mine=knn", "=knn", "a_b=knn", "knn; knn",
            "x=knn;x=exec:a",
        ])
    func faults(text: String) {
        #expect(throws: PositionerOptionFault.self) { try PositionerOption.list(text) }
    }
}
