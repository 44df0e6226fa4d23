import Glibc

extension TrackEvidence {
    /// Multiplies the belief by evidence that does not come from the scan's radio and is
    /// independent of it.
    ///
    /// The evidence leaves some probability for places elsewhere. That is spread over a circle of
    /// the same size as the belief that a scan is wrong. Such evidence is a track of its own, so
    /// only a part of it is new with each scan.
    func weigh(
        _ places: [PlaceEvidence], _ filter: TrackFilter, seconds: Double,
        _ scratch: inout TrackScratch
    ) {
        scratch.clearEvidence()
        var elsewhere = 1.0
        for place in places {
            guard let floor = graph.floors.firstIndex(of: place.floor) else { continue }
            elsewhere -= place.weight
            add(
                place.weight, place.point, Int32(floor), deviation: place.deviationMetres,
                room: nil, &scratch)
        }
        guard !scratch.evident.isEmpty else { return }
        let radius = TrackSettings.strayMetres
        let cells = Double.pi * radius * radius / (graph.pitch * graph.pitch)
        let share = max(settings.strayShare, elsewhere) / cells
        let new = 1 - exp(-seconds / settings.correlationSeconds)
        filter.update(
            stray: Float(share), new: Float(settings.placesShare * new), old: 1, &scratch)
    }
}
