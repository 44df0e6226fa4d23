// A tool that takes one point of the map for somebody else: a place, or the pair of a pixel.

import { DrawTool } from './draw-tools.js';

export class PickTool extends DrawTool {
  /** `took(at)` is called once, or `left()` where another tool is taken before. */
  constructor(board, took, left) {
    super(board, 'pick');
    this.took = took;
    this.left = left || null;
  }

  around() {
    const { rings } = super.around();
    return { rings: rings.concat(this.board.reference || []), from: [] };
  }

  tap(at) {
    this.left = null;
    this.took(at);
  }

  leave() {
    if (this.left) this.left();
    this.left = null;
  }
}
