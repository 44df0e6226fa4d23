public import Site

/// Finds the place at which the received and the missed transmitters of a scan are most probable
/// together.
///
/// For each place and transmitter the surveys give a mean RSSI, a deviation and a detection
/// probability. A scan's log-likelihood at a place has two sums. Over the transmitters received, it
/// sums the log of detection times normal density. Over those missed, it sums the log of one minus
/// detection.
///
/// The method is that of Roos et al. 2002, "A probabilistic approach to WLAN user location
/// estimation". The parametric density is that of Haeberlen et al. 2004, "Practical robust
/// localization over large-scale 802.11 wireless networks". Priors are equal. The floor is the one
/// with the largest sum of the posterior, and the place is the posterior's mean on that floor.
///
/// The sum assumes independent readings, which they are not: many addresses are one radio, and a
/// body or another telephone shifts them all. So the log-likelihood is multiplied by a temper below
/// 1, which each radio map chooses by its self-test. The other constants were fixed before any test
/// part was looked at, and were not tuned.
public struct GaussianLikelihood: Positioner {
    /// dB; the deviation that is mixed into each variance, with the weight of `priorSurveys`
    /// surveys. Surveys of one place, made within minutes by one telephone, vary less than RSSI
    /// really does.
    static let priorDeviation = 6.0
    static let priorSurveys = 3.0
    /// The smallest deviation that a place may have for a transmitter, in dB.
    static let leastDeviation = 3.0
    /// Jeffreys' prior: half a survey that received the transmitter and half a survey that did not.
    static let priorDetection = 0.5
    /// The probability of receiving a transmitter where no survey received it.
    static let strayDetection = 0.01
    /// dB; the range over which the RSSI of such a stray reading may lie.
    static let strayRange = 60.0
    /// The tempers to choose from. The first is a middle value, because maps too small to choose
    /// keep it.
    static let tempers = [0.25, 1, 0.5, 0.125, 0.0625]

    public let name = "gaussian"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedGaussianLikelihood(map: map, site: site)
    }
}
