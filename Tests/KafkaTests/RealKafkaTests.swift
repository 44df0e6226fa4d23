import EventLog
import Foundation
import Kafka
import KafkaLog
import TestSupport
import Testing

@Test func smoke() async throws {
    guard let kafka = RealKafka.shared else { return }
    let t0 = ContinuousClock.now
    func mark(_ s: String) { print("\(ContinuousClock.now - t0) \(s)") }
    let log = try KafkaLog(
        bootstrapServers: kafka.bootstrapServers, onUnexpected: { print("UNEXPECTED", $0) })
    let a = "a-\(UUID().uuidString)"
    let b = "b-\(UUID().uuidString)"
    try await log.createTopics([
        TopicSpecification(name: a, partitions: 4, cleanup: .delete(after: .seconds(3600))),
        TopicSpecification(name: b, partitions: 4, cleanup: .compact),
    ])
    mark("created")
    var headers = LogHeaders()
    headers.append("ce_id", "1")
    headers.append("empty", "")
    try await log.append(
        (0..<1000).map {
            LogRecord(
                topic: a, key: Array("k\($0 % 10)".utf8), value: Array("v\($0)".utf8),
                headers: headers)
        })
    mark("appended \(try await log.bounds(of: a))")
    let member = try await log.join(group: "g-\(a)", topics: [a])
    var seen = 0
    while seen < 1000 {
        switch try await member.poll(maximum: 300, wait: .seconds(1)) {
        case .assigned(let p): mark("assigned \(p)")
        case .revoked(let p): mark("revoked \(p)")
        case .records(let records):
            mark("records \(records.count)")
            guard !records.isEmpty else { continue }
            seen += records.count
            var next: [TopicPartition: Int64] = [:]
            for r in records { next[r.topicPartition] = r.offset + 1 }
            try await member.commit(
                records.map { LogRecord(topic: b, key: $0.key!, value: $0.value) }, next: next)
            mark("committed")
        }
    }
    mark("committed \(try await log.committed(group: "g-\(a)", topics: [a]))")
    mark("bounds \(try await log.bounds(of: b))")
    await #expect(throws: EventLogError.self) {
        try await member.commit([], next: [TopicPartition("nope", 0): 3])
    }
    for _ in 0..<3 { mark("\(try await member.poll(maximum: 10, wait: .seconds(1)))") }
    let bounds = try await log.bounds(of: b)
    var start: [TopicPartition: Int64] = [:]
    for (p, bound) in bounds.enumerated() { start[TopicPartition(b, p)] = bound.start }
    let reader = try await log.reader(from: start)
    var got = 0
    while true {
        let r = try await reader.next(maximum: 100, wait: .milliseconds(100))
        got += r.count
        let pos = try await reader.positions()
        if bounds.enumerated().allSatisfy({ pos[TopicPartition(b, $0.offset)]! >= $0.element.end })
        {
            break
        }
        if r.isEmpty { mark("\(pos)") }
    }
    mark("read \(got)")
    mark(
        "times \(try await log.offsets(of: b, atMicroseconds: 0)) \(try await log.offsets(of: b, atMicroseconds: Int64.max / 4))"
    )
    await reader.close()
    await member.close()
    mark("member closed")
    await log.close()
    mark("closed")
}
