public import Site

/// The place under which what was heard, and what was not, is most likely.
///
/// For each place and transmitter the surveys give a mean RSSI, a deviation and a detection
/// probability. A scan's log-likelihood at a place is the sum, over transmitters heard, of the log
/// of detection times normal density, and over those missed of the log of one minus detection, as
/// in Roos et al. 2002, "A probabilistic approach to WLAN user location estimation", with the
/// parametric density of Haeberlen et al. 2004, "Practical robust localization over large-scale
/// 802.11 wireless networks". The posterior with equal priors elects the floor by its sum, and its
/// mean on that floor is the place.
///
/// Readings are not independent as the sum takes them to be: many addresses are one radio, and a
/// body or another telephone shifts them all. So the log-likelihood is multiplied by a temper below
/// 1, which each radio map chooses by its self-test. The other constants were written down before
/// any test part was looked at, and were not tuned.
public struct GaussianLikelihood: Positioner {
    /// The surveys of one place, made within minutes by one telephone, know less of how much RSSI
    /// varies than they seem to: their variance is mixed with this deviation as if it were that of
    /// `priorSurveys` more.
    static let priorDeviation = 6.0
    static let priorSurveys = 3.0
    /// dB; no place is surer of a transmitter.
    static let leastDeviation = 3.0
    /// Half a survey that heard the transmitter and half a survey that did not: Jeffreys' prior.
    static let priorDetection = 0.5
    /// How probably a transmitter is heard where no survey heard it.
    static let strayDetection = 0.01
    /// dB: the range over which the RSSI of such a one may lie.
    static let strayRange = 60.0
    /// The middle first: it stays when the map is too small to choose.
    static let tempers = [0.25, 1, 0.5, 0.125, 0.0625]

    public let name = "gaussian"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedGaussianLikelihood(map: map, site: site)
    }
}
