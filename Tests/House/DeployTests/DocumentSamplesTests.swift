import Foundation
import Repository
import Testing

/// Samples in documents are parts of files that are compiled.
@Suite("Swift samples of documents") struct DocumentSamplesTests {
    private struct Sample: CustomTestStringConvertible, Sendable {
        let page: String
        let text: String
        var testDescription: String { "\(page): \(text.prefix(60))" }
    }

    /// The lines without their indentation, since a sample may be indented more in its file than on
    /// the page.
    private static func stripped(_ text: some StringProtocol) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    private static func samples(in page: String, _ text: String) -> [Sample] {
        text.matches(of: /(?m)^```swift\n([\s\S]*?)\n```/).map {
            Sample(page: page, text: stripped($0.1))
        }
    }

    private static let sources: Result<String, any Error> = Result {
        try ["Shared", "Services", "Tests", "docs/example"]
            .flatMap { DocumentationTests.files(under: $0, endingWith: ".swift") }
            .filter { !$0.contains("/.build/") }
            .map { stripped(try DeployTests.text($0)) }.joined(separator: "\n\n")
    }

    @Test("Each sample is part of a file that is compiled")
    func inTheTree() throws {
        let pages =
            ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
            + ["docs", "Services"].flatMap {
                DocumentationTests.files(under: $0, endingWith: ".md")
            }
        let sources = try Self.sources.get()
        let samples = try pages.flatMap { Self.samples(in: $0, try DeployTests.text($0)) }
        #expect(samples.count > 5)
        for sample in samples {
            #expect(sources.contains(sample.text), "\(sample.testDescription)")
        }
    }

    @Test("A sample that is in no file is noticed")
    func planted() throws {
        let page = "```swift\nlet planted = nobody" + "Declares.this\n```\n"
        let sample = try #require(Self.samples(in: "page", page).first)
        #expect(try !Self.sources.get().contains(sample.text))
    }
}
