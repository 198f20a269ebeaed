package org.svcmailbox.core.cluster;

/** Where calls for a group are served now. An answer can be old by the time it is used. */
public sealed interface Owner {
  /** This process serves the group. */
  Owner HERE = new Here();

  /** No process that this one knows of serves the group; another look may find one soon. */
  Owner MOVING = new Moving();

  /** As {@link #HERE}. */
  record Here() implements Owner {}

  /** As {@link #MOVING}. */
  record Moving() implements Owner {}

  /** Another node serves the group, as far as this one knows. */
  record Elsewhere(NodeView node) implements Owner {}
}
