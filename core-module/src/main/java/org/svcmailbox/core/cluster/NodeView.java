package org.svcmailbox.core.cluster;

import java.net.URI;

/**
 * A node as the others see it.
 *
 * @param url how the others reach it
 * @param isAlive whether its beats have not ended
 * @param isLeaving whether it gives its groups away
 * @param isFit whether it says that it could serve groups
 */
public record NodeView(NodeId node, URI url, boolean isAlive, boolean isLeaving, boolean isFit) {
  /** The address of a path, such as {@code /readyz}, at a node, which may be behind a prefix. */
  public static URI at(URI url, String path) {
    return URI.create(url.toString().replaceAll("/+$", "") + path);
  }
}
