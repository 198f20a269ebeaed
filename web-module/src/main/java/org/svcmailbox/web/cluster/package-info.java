/** The nodes of a cluster and the groups that they share. */
@NullMarked
package org.svcmailbox.web.cluster;

import org.jspecify.annotations.NullMarked;
