import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { type Choice, presentCities } from './wizardChoice.ts';

/**
 * Returns the criteria after the choice of rows changed. The city of the present appointments
 * follows the choice, unless the user chose other cities.
 */
export function followChoice(form: SearchForm | null, before: Choice[], after: Choice[], known: string[]): SearchForm | null {
  const isUntouched = form?.cities.join() === presentCities(before, known).join();
  return form && isUntouched ? { ...form, cities: presentCities(after, known) } : form;
}
