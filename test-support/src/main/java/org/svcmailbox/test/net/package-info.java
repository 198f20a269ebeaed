/** Ports, raw connections and certificates, all on this machine. */
@NullMarked
package org.svcmailbox.test.net;

import org.jspecify.annotations.NullMarked;
