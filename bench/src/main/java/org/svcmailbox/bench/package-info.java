/** The load generator and the raw broker baseline it is compared with. */
@NullMarked
package org.svcmailbox.bench;

import org.jspecify.annotations.NullMarked;
