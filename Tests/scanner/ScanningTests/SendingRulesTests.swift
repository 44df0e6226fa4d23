import Spool
import Testing
import Wire

@testable import Scanning

private func rejected(_ entries: [(Int, String)]) -> [UInt8] {
    let list = entries.map { "{\"index\":\($0.0),\"code\":\"\($0.1)\",\"detail\":\"d\"}" }
    return Array("{\"accepted\":1,\"rejected\":[\(list.joined(separator: ","))]}".utf8)
}

/// The body of an answer that accepts a whole batch.
let noneRejected = Array("{\"rejected\":[]}".utf8)

@Suite struct SendingRulesTests {
    @Test("These answers mean later, with a pause", arguments: [408, 429, 500, 502, 503, 504])
    func later(status: Int) {
        var rules = SendingRules(seed: 1)
        let decision = rules.decide(.answered(status: status), count: 3)
        #expect(!decision.isSettled && decision.again.isEmpty && decision.refused.isEmpty)
        #expect((0.5...1).contains(decision.pauseSeconds))
        #expect(decision.fault != nil)
    }

    @Test("The pause grows up to five minutes, is kept by its seed, and Retry-After is obeyed")
    func pauses() {
        var (rules, twin) = (SendingRules(seed: 7), SendingRules(seed: 7))
        var pauses: [Double] = []
        for _ in 0..<12 {
            let pause = rules.decide(.lost("time-out"), count: 1).pauseSeconds
            #expect(pause == twin.decide(.lost("time-out"), count: 1).pauseSeconds)
            pauses.append(pause)
        }
        #expect(pauses.allSatisfy { $0 <= 300 })
        #expect(pauses.last ?? 0 >= 150)
        #expect(Set(pauses).count == pauses.count)
        var other = SendingRules(seed: 7)
        let reply = ServerReply.answered(status: 503, retryAfterSeconds: 77)
        #expect(other.decide(reply, count: 1).pauseSeconds == 77)
    }

    @Test("A 202 with rejections deletes and counts them, but for codes that mean later")
    func rejections() {
        var rules = SendingRules(seed: 1)
        let body = rejected([(0, "rssi-out-of-range"), (2, "quota-exceeded"), (3, "unheard-of")])
        let decision = rules.decide(.answered(status: 202, body: body), count: 4)
        #expect(decision.isSettled)
        #expect(decision.again == [2])
        #expect(decision.refused == ["rssi-out-of-range": 1, "unheard-of": 1])
        #expect(decision.pauseSeconds == 0)
    }

    @Test(
        "An answer that is not the server's deletes nothing",
        arguments: [200, 204, 301, 400, 404])
    func foreign(status: Int) {
        var rules = SendingRules(seed: 1)
        let page = Array("<html>404 page not found</html>".utf8)
        let decision = rules.decide(.answered(status: status, body: page), count: 1)
        #expect(!decision.isSettled && decision.refused.isEmpty)
        #expect(decision.pauseSeconds > 0 && decision.fault != nil)
        var one = SendingRules(seed: 1)
        #expect(one.decide(.answered(status: 202), count: 1, isBatch: false).isSettled)
    }

    @Test("For a proxy that permits shorter bodies a batch is halved, and no record is deleted")
    func shorterBodies() {
        var rules = SendingRules(seed: 1)
        let page = ServerReply.answered(status: 413, body: Array("<html>too large</html>".utf8))
        let halves = rules.decide(page, count: 4)
        #expect(!halves.isSettled && halves.pauseSeconds < 1)
        #expect(rules.batchRecords(of: .droppable) == 2)
        let single = rules.decide(page, count: 1)
        #expect(!single.isSettled && single.refused.isEmpty && single.fault != nil)
    }

    @Test("A server's pause is granted for ten minutes at most")
    func longPause() {
        var rules = SendingRules(seed: 1)
        let reply = ServerReply.answered(status: 503, retryAfterSeconds: 86_400)
        #expect(rules.decide(reply, count: 1).pauseSeconds == 600)
    }

    @Test("A batch of which everything is put off is not sent again at once")
    func allLater() {
        var rules = SendingRules(seed: 1)
        let body = rejected([(0, "quota-exceeded"), (1, "quota-exceeded")])
        let decision = rules.decide(.answered(status: 400, body: body), count: 2)
        #expect(decision.isSettled && decision.again == [0, 1])
        #expect(decision.pauseSeconds > 0)
    }

    @Test("A refused token keeps the spool and is tried every ten minutes", arguments: [401, 403])
    func token(status: Int) {
        var rules = SendingRules(seed: 1)
        let decision = rules.decide(.answered(status: status), count: 2)
        #expect(!decision.isSettled)
        #expect(decision.pauseSeconds == 600)
    }

    @Test("A batch that is refused as a whole is halved until one record is left, which is deleted")
    func halves() {
        var rules = SendingRules(seed: 1)
        let body = Array("{\"code\":\"key-forgotten\"}".utf8)
        var counts: [Int] = []
        var decision = SendingRules.Decision()
        while !decision.isSettled, counts.count < 20 {
            counts.append(rules.batchRecords(of: .kept))
            decision = rules.decide(
                .answered(status: 422, body: body), count: rules.batchRecords(of: .kept),
                of: .kept)
            #expect(rules.batchRecords(of: .droppable) == 500, "other queues go on as before")
        }
        #expect(counts == [500, 250, 125, 62, 31, 15, 7, 3, 1])
        #expect(decision.refused == ["key-forgotten": 1])
        #expect(rules.batchRecords(of: .kept) == 500)
    }
}
