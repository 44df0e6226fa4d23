import Events
import Testing
import Timetables
import Wire

@testable import TimetableFetcher

@Suite("A feed as it is sent") struct FeedSubmissionTests {
    private static func fault(_ json: String) -> WireFault? {
        do throws(WireFault) {
            _ = try FeedSubmission(json: Array(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "A member that nobody reads is refused, and named",
        arguments: [
            (#"{"kind":"icalendar","rom":"a"}"#, "rom"),
            (#"{"kind":"html-table","paths":{"rows":"//li","titel":"b"}}"#, "paths.titel"),
            (#"{"kind":"icalendar","paths":{"rows":"//li"}}"#, "paths.rows"),
            (
                #"{"kind":"web-form","form":[{"name":"a","values":["b"],"value":"c"}]}"#,
                "form[0].value"
            ),
        ])
    func unknown(json: String, path: String) throws {
        let fault = try #require(Self.fault(json))
        #expect(fault.code == .feedUnusable && fault.path == path, "\(fault)")
        // Perhaps a later release wrote it.
        _ = try FeedSubmission(stored: Array(json.utf8))
    }

    @Test("An answer can be sent back, and keeps the address")
    func sentBack() throws {
        let address = try #require(FeedAddress("https://example.org/a.ics?secret"))
        let json = #"{"kind":"web-form","room":"a","paths":{"form":"//form"},"timeZone":"UTC"}"#
        let submission = try FeedSubmission(json: Array(json.utf8))
        let feed = submission.feed(FeedID("f"), at: SiteID("house"), address: address)
        var report = FeedReport()
        let now = Timestamp(microseconds: 0)
        report.outcome = .read
        (report.fetchedAt, report.goodAt, report.nextAt) = (now, now, now)
        let again = try FeedSubmission(json: ListedFeed(feed, report).json)
        #expect(again.address == nil)
        #expect(again.feed(FeedID("f"), at: SiteID("house"), address: address) == feed)
    }

    @Test(
        "A path that no page could have, or that is missing, is named",
        arguments: [
            (#"free-computers-html","paths":{"rooms":"//div"}"#, "name"),
            (#"free-computers-html","paths":{"rooms":"//div[","name":"a","free":"p"}"#, "rooms"),
            (#"free-computers-html","paths":{"rooms":"//div","name":"a","free":"p"}"#, nil),
            (#"free-computers-json","paths":{"rooms":"rooms[x]"}"#, "rooms"),
            (#"free-computers-json""#, nil), (#"icalendar""#, nil), (#"html-table""#, nil),
            (#"html-table","paths":{"rows":"//tr","start":"td[1]"}"#, "end"),
            (#"web-form","paths":{"form":"//form["}"#, "form"),
        ])
    func paths(kind: String, name: String?) throws {
        let submission = try FeedSubmission(json: Array((#"{"kind":""# + kind + "}").utf8))
        let address = try #require(FeedAddress("https://example.org/a"))
        let feed = submission.feed(FeedID("f"), at: SiteID("house"), address: address)
        #expect(UnusablePath(of: feed)?.name == name)
    }

    @Test("A report that is stored is read as it was")
    func storedReport() throws {
        var report = FeedReport()
        (report.outcome, report.found, report.leftOut) = (.read, 3, ["no times: Broken"])
        report.coversFrom = Timestamp(milliseconds: 1_000)
        report.coversUntil = Timestamp(milliseconds: 2_000)
        report.crowded = CrowdedTime(
            begins: Timestamp(milliseconds: 2_000), ends: Timestamp(milliseconds: 3_000))
        #expect(try FeedReport(json: report.json) == report)
    }
}
