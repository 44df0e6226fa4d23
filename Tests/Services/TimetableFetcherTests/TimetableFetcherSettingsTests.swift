import ServiceRuntime
import Testing

@testable import TimetableFetcher

@Suite struct TimetableFetcherSettingsTests {
    @Test(
        "A network that is none is named at the start",
        arguments: [
            ("", true), ("10.2.0.0/16, fd00::/8", true), ("10.2.0.0/33", false),
            ("localhost", false), ("10.2.0.0/16;fd00::/8", false),
        ])
    func networks(text: String, isGood: Bool) {
        let faults = TimetableFetcherSettings.missing(in: ["WHEREABOUTS_FEED_NETWORKS": text])
        #expect(faults.map(\.name) == (isGood ? [] : ["WHEREABOUTS_FEED_NETWORKS"]))
    }
}
