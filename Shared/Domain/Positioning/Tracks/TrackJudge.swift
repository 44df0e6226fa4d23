import Events
import Geometry
import Site

/// Turns a track's belief into an estimate: floor and room with hysteresis, mean, radii and rooms.
struct TrackJudge: Sendable {
    let graph: WalkableGraph
    /// The ids of the site's rooms.
    let rooms: [RoomID]
    let settings: TrackSettings

    /// The estimate of a state with at least one belief. It stores the published floor and room in
    /// the state.
    ///
    /// - Parameters:
    ///   - seconds: the time since the scan of the stored state.
    ///   - awaySeconds: the time since the newest scan; nil where the device tells that it moves.
    func estimate(
        _ state: inout TrackState, seconds: Double, awaySeconds: Double? = nil
    ) -> Estimate {
        var total = 0.0
        var floorShares = [Double](repeating: 0, count: graph.floors.count)
        var roomShares = RoomShares()
        var passageShare = 0.0
        for belief in state.beliefs {
            let weight = Double(belief.weight)
            let known = graph.cells[belief.cell]
            total += weight
            floorShares[Int(known.floor)] += weight
            roomShares.add(weight, in: known.room)
            if known.isPassage { passageShare += weight }
        }
        let floor = publishedFloor(state.floor, floorShares, total)
        let mean = self.mean(state.beliefs, on: floor)
        if floor != state.floor {
            state.room = -1
            state.settling = TrackSettling()
        }
        let onFloor = self.roomShares(state.beliefs, on: floor)
        let isInPassage = passageShare > total / 2
        state.settling.add(
            mean.point, share: onFloor[state.room], seconds: seconds,
            awaySeconds: isInPassage ? nil : awaySeconds, settings)
        let room = publishedRoom(&state, onFloor)
        state.floor = floor
        state.room = room
        let (radius68, radius95) = radii(mean.covariance, state)
        let scale =
            2 * square(radius68 / RadiusCalibration.radius68PerDeviation)
            / (mean.covariance.xx + mean.covariance.yy)
        let place = Estimate.Place(
            floor: graph.floors[Int(floor)], point: mean.point,
            room: rooms.indices.contains(Int(room)) ? rooms[Int(room)] : nil,
            covariance: Estimate.Covariance(
                xx: mean.covariance.xx * scale, xy: mean.covariance.xy * scale,
                yy: mean.covariance.yy * scale), radius68: radius68, radius95: radius95)
        let isCertain = floorShares[Int(floor)] >= SnapshotJudge.certainFloorShare * total
        return Estimate(
            state: isCertain ? .located : .uncertain, place: place,
            rooms: posterior(roomShares, total, listing: room))
    }

    /// The share of each room in the belief on one floor; they sum up to 1.
    private func roomShares(_ beliefs: [TrackState.Belief], on floor: Int32) -> RoomShares {
        var shares = RoomShares()
        var total = 0.0
        for belief in beliefs {
            let known = graph.cells[belief.cell]
            guard known.floor == floor else { continue }
            shares.add(Double(belief.weight), in: known.room)
            total += Double(belief.weight)
        }
        shares.divide(by: total)
        return shares
    }

    private func publishedFloor(_ before: Int32, _ shares: [Double], _ total: Double) -> Int32 {
        let best = Int32(shares.indices.max { (shares[$0], $1) < (shares[$1], $0) } ?? 0)
        guard before >= 0, shares[Int(before)] > 0 else { return best }
        let isCertain = shares[Int(best)] >= Double(TrackSettings.floorProbability) * total
        return isCertain ? best : before
    }

    /// A device keeps its room until another one is clearly more probable, so that noise doesn't
    /// move it from room to room. A moving device leaves a room at once where it hardly can be. A
    /// device at rest does not, because a few scans may share an error.
    ///
    /// - Parameter shares: the shares of the floor's rooms.
    private func publishedRoom(_ state: inout TrackState, _ shares: RoomShares) -> Int32 {
        guard let best = shares.best else { return -1 }
        let isLeft =
            state.settling.isSettled(settings)
            ? state.settling.roomShare < settings.leastRoomShare
            : best.share >= settings.roomProbability
                || shares[state.room] < settings.leastKeptRoomShare
        guard isLeft, best.room != state.room else { return state.room }
        state.settling.roomShare = Float(best.share)
        return best.room
    }

    private func mean(
        _ beliefs: [TrackState.Belief], on floor: Int32
    ) -> (point: Point, covariance: Estimate.Covariance) {
        var (total, point) = (0.0, Point(x: 0, y: 0))
        for belief in beliefs {
            let known = graph.cells[belief.cell]
            guard known.floor == floor else { continue }
            let weight = Double(belief.weight)
            total += weight
            point.x += weight * known.point.x
            point.y += weight * known.point.y
        }
        point.x /= total
        point.y /= total
        let within = graph.pitch * graph.pitch / 12
        var covariance = Estimate.Covariance(xx: within, xy: 0, yy: within)
        for belief in beliefs {
            let known = graph.cells[belief.cell]
            guard known.floor == floor else { continue }
            let share = Double(belief.weight) / total
            let (dx, dy) = (known.point.x - point.x, known.point.y - point.y)
            covariance.xx += share * dx * dx
            covariance.xy += share * dx * dy
            covariance.yy += share * dy * dy
        }
        return (point, covariance)
    }

    /// The radii combine those of the belief and those of the scan. The belief reflects the track
    /// and how people walk; the scan's radii reflect the typical errors at this site. The belief
    /// alone is too certain, because the errors of successive scans are alike.
    private func radii(
        _ covariance: Estimate.Covariance, _ state: TrackState
    ) -> (radius68: Double, radius95: Double) {
        let belief =
            settings.beliefFactor * settings.beliefFactor
            * (covariance.xx + covariance.yy) / 2
            * square(RadiusCalibration.radius68PerDeviation)
        let scan68 = Double(state.scanRadius68)
        let factor =
            state.settling.isSettled(settings)
            ? settings.scanFactorAtRest : settings.scanFactor
        let radius68 = (belief + square(factor * scan68)).squareRoot()
        let tail = scan68 > 0 ? Double(state.scanRadius95) / scan68 : 0
        let normal = RadiusCalibration.radius95PerDeviation / RadiusCalibration.radius68PerDeviation
        let least = RadiusCalibration.leastRadiusMetres
        return (max(least, radius68), max(least, radius68 * max(tail, normal)))
    }

    private func square(_ value: Double) -> Double { value * value }

    private func posterior(
        _ shares: RoomShares, _ total: Double, listing published: Int32
    ) -> [PositionEstimated.RoomProbability] {
        var posterior: [PositionEstimated.RoomProbability] = []
        var shares = shares
        shares.add(0, in: published)
        for (room, share) in shares.entries where room >= 0 {
            let probability = share / total
            guard probability >= RoomPosterior.leastProbability || room == published else {
                continue
            }
            posterior.append(.init(id: rooms[Int(room)], probability: probability))
        }
        posterior.sort { ($1.probability, $0.id) < ($0.probability, $1.id) }
        return posterior
    }
}
