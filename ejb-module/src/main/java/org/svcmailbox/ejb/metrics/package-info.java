/** The bean that modules register their metrics with. It writes all of them. */
@NullMarked
package org.svcmailbox.ejb.metrics;

import org.jspecify.annotations.NullMarked;
