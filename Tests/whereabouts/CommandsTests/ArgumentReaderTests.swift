import Commands
import Testing

@Suite struct ArgumentReaderTests {
    @Test("Options, flags and other arguments are separated")
    func parts() throws {
        let reader = try ArgumentReader(
            ["surimi", "--positioner", "knn", "--tracks", "path", "--positioner=other"],
            options: [], lists: ["--positioner"], flags: ["--tracks"])
        #expect(reader.positional == ["surimi", "path"])
        #expect(reader.all("--positioner") == ["knn", "other"])
        #expect(reader.last("--positioner") == "other")
        #expect(reader.has("--tracks"))
    }

    @Test("Unknown options, missing values, and second ones are refused")
    func faults() {
        for arguments in [
            ["--what"], ["--seed"], ["--tracks=1"], ["--seed", "1", "--seed=1"],
        ] {
            #expect(throws: UsageFault.self) {
                try ArgumentReader(arguments, options: ["--seed"], flags: ["--tracks"])
            }
        }
    }

    @Test("Numbers may be single numbers, ranges, and lists of both")
    func numbers() throws {
        func numbers(_ text: String) throws -> [Int] {
            try ArgumentReader(["--months", text], options: ["--months"]).numbers("--months")
        }
        #expect(try numbers("1") == [1])
        #expect(try numbers("2-5") == [2, 3, 4, 5])
        #expect(try numbers("7,1-3,2") == [1, 2, 3, 7])
        for wrong in ["", "x", "3-1", "1-2-3", "1,", "-1", "1-99999999"] {
            #expect(throws: UsageFault.self) { try numbers(wrong) }
        }
    }
}
