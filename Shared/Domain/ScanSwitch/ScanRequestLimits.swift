/// The limits of scan requests.
public enum ScanRequestLimits {
    /// The scanners of one request.
    public static let scanners = 8
    /// The open requests of one asker.
    public static let openOfAsker = 16
    /// The open requests to one scanner.
    public static let openOfScanner = 8
    /// The requests that an asker makes within `latelyMicroseconds`. Cancelled ones count, too,
    /// since each is two records of the log.
    public static let latelyOfAsker = 60
    /// The requests that are made to a scanner within that time, by all askers.
    public static let latelyOfScanner = 120
    public static let latelyMicroseconds: Int64 = 60_000_000
    /// The scans that an asker asks for within `keptMicroseconds`, at all sites: one for each
    /// scanner of a request. All copies have those of a day in memory. Surveyors need some
    /// thousands.
    public static let scansOfAskerInDay = 10_000
    /// How long a scanner has time to begin, in seconds.
    public static let timeoutSeconds = 1...60
    public static let usualTimeoutSeconds = 20
    /// A scanner that has not taken a request for this long counts as away.
    public static let awayMicroseconds: Int64 = 2_500_000
    /// Results come to the copy that was named last for so long, however often others are polled.
    static let awaitedMicroseconds: UInt64 = 3_000_000
    /// A scan may have begun so long before its request: clocks differ.
    static let earlyMicroseconds: Int64 = 60_000_000
    /// A scan may end so long after the request: a scan takes some seconds.
    static let lateMicroseconds: Int64 = 10_000_000
    /// Scanners are told of cancelled requests for this long.
    static let cancelledMicroseconds: Int64 = 120_000_000
    /// A poll tells a scanner of so many cancelled requests, the newest.
    public static let cancelledTold = 64
    /// Requests are forgotten after this time.
    public static let keptMicroseconds: Int64 = 86_400_000_000
    /// Those whose scans are not stored are forgotten sooner: their answers come at once or never.
    static let passingKeptMicroseconds: Int64 = 3_600_000_000
}
