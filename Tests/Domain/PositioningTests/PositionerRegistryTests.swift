import Events
import Positioning
import SampleSites
import Testing

@Suite struct PositionerRegistryTests {
    private let registry = PositionerRegistry.standard

    private func fault(_ text: String) -> String? {
        do throws(UnknownPositioner) {
            _ = try registry.positioner(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A positioner with parameters has a name that fits a topic")
    func names() throws {
        #expect(try registry.positioner("knn").name == "knn")
        let adjusted = try registry.positioner("knn:representation=positive,k=9,distance=cosine")
        #expect(adjusted.name == "knn-distance-cosine-k-9-representation-positive")
        let powed = try registry.positioner("knn:exponent=2.5,weighting=equal")
        #expect(powed.name == "knn-exponent-2.5-weighting-equal")
    }

    @Test("An unknown name is refused with a list of the names")
    func unknownName() {
        let known = registry.names.joined(separator: ", ")
        #expect(fault("oracle") == "oracle is not a positioner; known are \(known)")
        #expect(fault("") == " is not a positioner; known are \(known)")
        #expect(fault("oracle:k=1")?.contains("known are") == true)
        #expect(registry["oracle"] == nil)
    }

    @Test(
        "An unknown, malformed or repeated parameter is refused with a list of parameters",
        arguments: [
            "knn:", "knn:k", "knn:k=0", "knn:k=1001", "knn:k=nine", "knn:colour=red",
            "knn:distance=hamming", "knn:k=3,k=4", "knn:k=3,", "knn:exponent=nan",
            "knn:weighting=much", "knn:representation=powed2",
            "knn:representation=raw,exponent=2",
        ])
    func unknownParameter(text: String) throws {
        let said = try #require(fault(text))
        #expect(said.contains("does not fit knn, which takes distance=(euclidean | manhattan"))
        #expect(said.contains("k=(1 to 1000)"))
    }

    @Test("A positioner without parameters accepts none")
    func noParameters() {
        #expect(fault("best-match:k=3") == "best-match takes no parameters")
    }

    @Test("Settings that spell out the defaults give the same estimates")
    func defaults() throws {
        let plain = try registry.positioner("knn")
        let spelled = try registry.positioner(
            "knn:distance=sorensen,representation=powed,k=9,weighting=inverse")
        let scan = RadioScan(SampleSite.surveys[7].scan)
        let expected = plain.prepare(SampleSite.map, site: SampleSite.index).locate(scan)
        let found = spelled.prepare(SampleSite.map, site: SampleSite.index).locate(scan)
        #expect(found == expected)
    }
}
