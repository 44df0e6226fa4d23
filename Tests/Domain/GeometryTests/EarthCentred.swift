import Geometry
import Glibc

/// The length in metres of the straight line through the earth between two WGS84 points. The
/// formulas for x, y and z are those of textbooks, with the ellipsoid's axes written out.
func earthCentredDistance(_ a: GeographicPoint, _ b: GeographicPoint) -> Double {
    func position(_ place: GeographicPoint) -> (Double, Double, Double) {
        let latitude = place.latitude * .pi / 180
        let longitude = place.longitude * .pi / 180
        let equator = 6_378_137.0
        let pole = 6_356_752.314_245
        let normal =
            equator * equator
            / sqrt(pow(equator * cos(latitude), 2) + pow(pole * sin(latitude), 2))
        return (
            normal * cos(latitude) * cos(longitude), normal * cos(latitude) * sin(longitude),
            pole * pole / (equator * equator) * normal * sin(latitude)
        )
    }
    let (p, q) = (position(a), position(b))
    return sqrt(pow(p.0 - q.0, 2) + pow(p.1 - q.1, 2) + pow(p.2 - q.2, 2))
}
