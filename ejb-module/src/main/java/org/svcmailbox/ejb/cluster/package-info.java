/** The nodes of a cluster and their map in the database that they share (docs/adr/0149). */
@NullMarked
package org.svcmailbox.ejb.cluster;

import org.jspecify.annotations.NullMarked;
