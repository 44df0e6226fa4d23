import Glibc

extension TrackEvidence {
    /// Weighs the belief with evidence that has nothing to do with the scan's radio, and so counts
    /// beside it: a product of both.
    ///
    /// What it leaves for elsewhere lies over as wide a circle as the belief that a scan is wrong.
    /// It was followed from scan to scan itself, and so is new only in part.
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
