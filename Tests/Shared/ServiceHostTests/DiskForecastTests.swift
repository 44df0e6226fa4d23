import Testing

@testable import ServiceHost

@Suite struct DiskForecastTests {
    /// Free gigabytes each minute.
    private func forecast(minutes: Int, free: (Double) -> Double) -> Double? {
        var forecast = DiskForecast()
        for minute in 0...minutes {
            forecast.note(freeBytes: free(Double(minute)) * 1e9, at: .seconds(minute * 60))
        }
        return forecast.secondsUntilFull
    }

    @Test("A disk that loses a gigabyte a minute with 40 left is full in 40 minutes")
    func steady() throws {
        let seconds = try #require(forecast(minutes: 60) { 100 - $0 })
        #expect(abs(seconds - 2_400) < 1)
    }

    @Test("A swing of the write-ahead log does not hide the trend")
    func swing() throws {
        let seconds = try #require(
            forecast(minutes: 300) { 1_000 - $0 - ($0.truncatingRemainder(dividingBy: 10) / 2) })
        #expect(abs(seconds - 42_000) < 600)
    }

    @Test("A disk that does not fill is never full, and one look says nothing")
    func quiet() {
        #expect(forecast(minutes: 60) { 50 + $0 / 100 } == .infinity)
        #expect(forecast(minutes: 29) { 100 - $0 } == nil)
    }

    @Test("Growth of yesterday does not count today")
    func forgotten() {
        let seconds = forecast(minutes: 900) { $0 < 300 ? 1_000 - $0 : 700 }
        #expect(seconds == .infinity)
    }

    @Test("The disk of a folder has a size, and a folder that is missing has none")
    func space() throws {
        let space = try #require(DiskSpace(path: "/"))
        #expect(space.sizeBytes > 1e6 && space.freeRatio > 0 && space.freeRatio <= 1)
        #expect(DiskSpace(path: "/no/such/folder") == nil)
        #expect(DiskSpace.paths("/, /var/lib") == ["/", "/var/lib"])
    }

    @Test("An outbox's oldest event ages until another one is the oldest")
    func outboxAge() {
        var age = OutboxAge()
        let start = ContinuousClock.now
        #expect(age.seconds(oldest: nil, at: start) == 0)
        #expect(age.seconds(oldest: 4, at: start) == 0)
        #expect(age.seconds(oldest: 4, at: start + .seconds(90)) == 90)
        #expect(age.seconds(oldest: 5, at: start + .seconds(100)) == 0)
        #expect(age.seconds(oldest: nil, at: start + .seconds(110)) == 0)
    }
}
