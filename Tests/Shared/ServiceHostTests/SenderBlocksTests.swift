import Events
import Testing

@testable import ServiceHost

@Suite struct SenderBlocksTests {
    private func moment(_ second: Int) -> Timestamp {
        Timestamp(microseconds: 1_800_000_000_000_000 + Int64(second) * 1_000_000)
    }

    @Test(
        "More than 100 records in an hour block a token until the oldest is an hour old"
    )
    func block() {
        let blocks = SenderBlocks()
        for second in 0..<100 {
            let end = blocks.note(
                "scans/0/\(second)", of: "token", at: moment(second), now: moment(second))
            #expect(end == nil)
        }
        #expect(blocks.blockedUntil("token", at: moment(100)) == nil)
        let end = blocks.note("scans/0/100", of: "token", at: moment(100), now: moment(100))
        #expect(end == moment(3_600))
        #expect(blocks.note("scans/0/101", of: "token", at: moment(101), now: moment(101)) == nil)
        #expect(blocks.blockedUntil("token", at: moment(102)) == moment(3_601))
        #expect(blocks.blockedUntil("other", at: moment(102)) == nil)
        #expect(blocks.count(at: moment(102)) == 1)
        #expect(blocks.blockedUntil("token", at: moment(3_601)) == nil)
    }

    @Test("A letter that comes again does not count twice, nor do letters of long ago")
    func repeated() {
        let blocks = SenderBlocks()
        for number in 0..<1_000 {
            _ = blocks.note("scans/0/\(number % 50)", of: "token", at: moment(0), now: moment(0))
        }
        #expect(blocks.blockedUntil("token", at: moment(1)) == nil)
        for number in 0..<500 {
            _ = blocks.note("scans/1/\(number)", of: "old", at: moment(0), now: moment(4_000))
        }
        #expect(blocks.blockedUntil("old", at: moment(4_000)) == nil)
    }

    @Test("The state of a sender does not grow with what it sends")
    func bounded() {
        let blocks = SenderBlocks()
        for number in 0..<2_000 {
            _ = blocks.note(
                "scans/0/\(number)", of: "token", at: moment(number / 10), now: moment(number / 10))
        }
        #expect(blocks.blockedUntil("token", at: moment(200)) != nil)
    }

    @Test("All senders together use bounded memory; a blocked sender stays blocked")
    func manySenders() {
        let blocks = SenderBlocks()
        for number in 0...100 {
            _ = blocks.note("scans/0/\(number)", of: "bad", at: moment(0), now: moment(0))
        }
        for number in 0..<(SenderBlocks.letterLimit + 50_000) {
            _ = blocks.note(
                "scans/1/\(number)", of: "\(number % 20_000)", at: moment(1), now: moment(1))
        }
        #expect(blocks.held <= SenderBlocks.letterLimit)
        #expect(blocks.blockedUntil("bad", at: moment(2)) != nil)
    }
}
